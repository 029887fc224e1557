// LoadDataWithSparse, some calls, then MmadWithSparse; one case a block. The image is what L0C,
// L0B, L0A and L1 hold before; the result is L0C and L0B.
#include "local_image.h"
#include "mmad_numbers.h"

namespace {

struct Load {
  explicit Load(Case& values)
      : asked(values.next()), types(values.next()), dst(values), src(values), idx(values) {
    params.startIndex = values.next();
    params.repeatTimes = values.next();
    params.srcStride = values.next();
    params.dstGap = values.next();
    params.ifTranspose = values.next();
    params.sid = values.next();
    params.addrMode = values.next();
  }

  template <class T, class U>
  void run() const {
    LoadDataWithSparse(dst.tensor<T>(), src.tensor<T>(), idx.tensor<U>(), params);
  }

  // Weights and indices, two digits each: the numbers of with_type.
  void run() const {
    if (!asked) return;
    switch (types) {
      case 1: return run<int8_t, uint8_t>();
      case 0: return run<int8_t, int8_t>();
      case 101: return run<uint8_t, uint8_t>();
      default: return run<half, uint8_t>();
    }
  }

  bool asked;
  int64_t types;
  Place dst, src, idx;
  LoadData2DParams params;
};

struct Multiply {
  explicit Multiply(Case& values)
      : asked(values.next()),
        types(values.next()),
        c(values),
        a(values),
        b(values),
        constructor(values.next()),
        numbers(values),
        unit_flag(values.next()) {}

  MmadParams params() const { return numbers.params(constructor, unit_flag); }

  template <class T, class U>
  void run() const {
    MmadWithSparse(c.tensor<T>(), a.tensor<U>(), b.tensor<U>(), params());
  }

  // C, then A and B.
  void run() const {
    if (!asked) return;
    switch (types) {
      case 600: return run<int32_t, int8_t>();
      case 601: return run<int32_t, uint8_t>();
      case 611: return run<int32_t, int4b_t>();
      case 800: return run<float, int8_t>();
      default: return run<float, half>();
    }
  }

  bool asked;
  int64_t types;
  Place c, a, b;
  int64_t constructor;
  MmadNumbers numbers;
  uint8_t unit_flag;
};

}  // namespace

extern "C" __global__ __aicore__ void sparse_cases(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  const uint32_t c_bytes = values.next(), b_bytes = values.next(), a_bytes = values.next();
  const uint32_t l1_bytes = values.image_bytes - c_bytes - b_bytes - a_bytes;
  if (c_bytes > 0) {  // else nothing is filled or saved
    fill_memory(TPosition::CO1, values.image(), c_bytes);
    fill_memory(TPosition::B2, values.image()[c_bytes], b_bytes);
    fill_memory(TPosition::A2, values.image()[c_bytes + b_bytes], a_bytes);
    fill_memory(TPosition::B1, values.image()[c_bytes + b_bytes + a_bytes], l1_bytes);
  }
  const int64_t loads = values.next();
  for (int64_t i = 0; i < loads; ++i) Load(values).run();
  PipeBarrier<PIPE_ALL>();
  Multiply(values).run();
  if (c_bytes == 0) return;
  save_memory(values.result(), TPosition::CO1, c_bytes);
  save_memory(values.result()[c_bytes], TPosition::B2, b_bytes);
}
