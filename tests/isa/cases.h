// What the kernels of the instruction tests share: the table of cases, and moving whole memories.
//
// Each block runs one case: its row of `table`, its image of `images`, its row of `results`. A row
// starts with the number of columns, the bytes of an image and the bytes of a result.
#pragma once

#include "kernel_operator.h"

using namespace AscendC;

// A block's row of a table whose first number is that of the columns.
class Row {
 public:
  explicit Row(GM_ADDR table) {
    values_.SetGlobalBuffer((__gm__ int64_t*)table);
    at_ = GetBlockIdx() * values_.GetValue(0) + 1;
  }

  int64_t next() { return values_.GetValue(at_++); }

 private:
  GlobalTensor<int64_t> values_;
  int64_t at_;
};

class Case : public Row {
 public:
  Case(GM_ADDR table, GM_ADDR images, GM_ADDR results)
      : Row(table), images_(images), results_(results) {
    image_bytes = next();
    result_bytes = next();
  }

  GlobalTensor<uint8_t> image() { return part(images_, image_bytes); }
  GlobalTensor<uint8_t> result() { return part(results_, result_bytes); }

  uint32_t image_bytes, result_bytes;

 private:
  static GlobalTensor<uint8_t> part(GM_ADDR buffer, uint64_t bytes) {
    GlobalTensor<uint8_t> tensor;
    tensor.SetGlobalBuffer(buffer + GetBlockIdx() * bytes, bytes);
    return tensor;
  }

  GM_ADDR images_;
  GM_ADDR results_;
};

inline DataCopyParams whole(uint32_t bytes) { return {1, uint16_t(bytes / 32), 0, 0}; }
inline LocalTensor<uint8_t> bytes_of(TPosition position, uint32_t bytes) {
  return LocalTensor<uint8_t>(position, 0, bytes);
}

// The first image_bytes of UB from the case's image, and back.
inline void fill_ub(Case& values) {
  DataCopy(bytes_of(TPosition::VECCALC, values.image_bytes), values.image(),
           whole(values.image_bytes));
  PipeBarrier<PIPE_ALL>();
}
inline void save_ub(Case& values) {
  PipeBarrier<PIPE_ALL>();
  DataCopy(values.result(), bytes_of(TPosition::VECCALC, values.result_bytes),
           whole(values.result_bytes));
}

// A tensor's place as three values of the row: position, byte address, elements.
struct Place {
  explicit Place(Row& values)
      : position(TPosition(values.next())), address(values.next()), elements(values.next()) {}

  template <class T>
  LocalTensor<T> tensor() const {
    return LocalTensor<T>(position, address, elements);
  }

  TPosition position;
  uint32_t address, elements;
};

// The strides of a call with one source as four values: block and repeat of dst, then of src.
inline UnaryRepeatParams unary_params(Case& values) {
  UnaryRepeatParams params;
  params.dstBlkStride = values.next();
  params.dstRepStride = values.next();
  params.srcBlkStride = values.next();
  params.srcRepStride = values.next();
  return params;
}

// Calls f with a value of the case's element type.
template <class F>
void with_type(int64_t type, F f) {
  switch (type) {
    case 0: return f(int8_t());
    case 1: return f(uint8_t());
    case 2: return f(int16_t());
    case 3: return f(uint16_t());
    case 4: return f(half());
    case 5: return f(bfloat16_t());
    case 6: return f(int32_t());
    case 7: return f(uint32_t());
    case 8: return f(float());
    case 9: return f(int64_t());
    case 10: return f(uint64_t());
    default: return f(int4b_t());
  }
}

// The first bits of a value as an element.
template <class T>
T element_of(int64_t bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}
