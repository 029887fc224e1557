// CastDequant in its three forms after SetDeqScale in its three, one case a block, on a UB filled
// with the case's image.
#include "cases.h"

namespace {

// How the scale is set.
enum Kind { kNone, kHalf, kWord, kTable, kRawTable };

struct Call {
  explicit Call(Case& values)
      : types(values.next()),
        vector(values.next()),
        high(values.next()),
        set_mask(values.next()),
        form(values.next()),
        mask{uint64_t(values.next()), uint64_t(values.next())},
        repeats(values.next()),
        count(values.next()),
        kind(Kind(values.next())),
        scale(values.next()),
        offset(values.next()),
        sign(values.next()),
        words(values.next()),
        table(values),
        dst(values),
        src(values),
        params(unary_params(values)) {}

  int64_t types;  // dst * 100 + src
  bool vector, high, set_mask;
  int64_t form;
  uint64_t mask[2];
  uint8_t repeats;
  int32_t count;
  Kind kind;
  int64_t scale;  // bits of a float, or of a half
  int16_t offset;
  bool sign;
  int64_t words;  // where in the image 16 scale words stand
  Place table, dst, src;
  UnaryRepeatParams params;
};

// The scale words of the image as arguments of SetDeqScale; a raw table holds them bit for bit.
void set_table(Call& call, Case& values) {
  GlobalTensor<uint64_t> words;
  words.SetGlobalBuffer((__gm__ uint64_t*)(values.image().GetPhyAddr() + call.words), 16);
  float scale[16];
  int16_t offset[16];
  bool sign[16];
  for (int i = 0; i < 16; ++i) {
    const uint64_t word = words.GetValue(i);
    scale[i] = element_of<float>(word);
    offset[i] = int16_t(int16_t(word >> 37 << 7) >> 7);
    sign[i] = word >> 46 & 1;
  }
  const auto table = call.table.tensor<uint64_t>();
  SetDeqScale(table, VdeqInfo(scale, offset, sign));
  for (int i = 0; call.kind == kRawTable && i < 16; ++i) table.SetValue(i, words.GetValue(i));
}

void set_scale(Call& call, Case& values) {
  switch (call.kind) {
    case kNone: break;
    case kHalf: SetDeqScale(element_of<half>(call.scale)); break;
    case kWord: SetDeqScale(element_of<float>(call.scale), call.offset, call.sign); break;
    default: set_table(call, values);
  }
}

template <class T, class U, bool vector, bool high>
void dequant(Call& call) {
  const auto dst = call.dst.tensor<T>();
  const auto src = call.src.tensor<U>();
  if (call.form == 0) {
    CastDequant<T, U, vector, high>(dst, src, call.count);
  } else if (call.form == 1 && call.set_mask) {
    CastDequant<T, U, true, vector, high>(dst, src, call.mask, call.repeats, call.params);
  } else if (call.form == 1) {
    CastDequant<T, U, false, vector, high>(dst, src, call.mask, call.repeats, call.params);
  } else if (call.set_mask) {
    CastDequant<T, U, true, vector, high>(dst, src, int32_t(call.mask[0]), call.repeats,
                                          call.params);
  } else {
    // The older name.
    CastDeq<T, U, false, vector, high>(dst, src, int32_t(call.mask[0]), call.repeats, call.params);
  }
}

template <class T, class U>
void with_flags(Call& call) {
  if (call.vector && call.high) return dequant<T, U, true, true>(call);
  if (call.vector) return dequant<T, U, true, false>(call);
  if (call.high) return dequant<T, U, false, true>(call);
  dequant<T, U, false, false>(call);
}

template <class U>
void with_destination(Call& call) {
  switch (call.types / 100) {
    case 0: return with_flags<int8_t, U>(call);
    case 1: return with_flags<uint8_t, U>(call);
    case 2: return with_flags<int16_t, U>(call);
    default: return with_flags<half, U>(call);
  }
}

void with_types(Call& call) {
  switch (call.types % 100) {
    case 2: return with_destination<int16_t>(call);
    case 4: return with_destination<half>(call);
    default: return with_destination<int32_t>(call);
  }
}

}  // namespace

extern "C" __global__ __aicore__ void cast_dequant_cases(GM_ADDR table, GM_ADDR images,
                                                         GM_ADDR results) {
  Case values(table, images, results);
  Call call(values);
  fill_ub(values);
  set_scale(call, values);
  with_types(call);
  save_ub(values);
}

// Two runs pack the results of 16 datablocks into 8: first the even blocks of src to the lower
// halves, then the odd ones to the upper halves.
extern "C" __global__ __aicore__ void pack(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  Call call(values);
  fill_ub(values);
  set_scale(call, values);
  const auto dst = call.dst.tensor<int8_t>();
  const auto src = call.src.tensor<int16_t>();
  CastDequant<int8_t, int16_t, true, false, false>(dst, src, 128, call.repeats, {1, 2, 8, 16});
  CastDequant<int8_t, int16_t, true, false, true>(dst, src[16], 128, call.repeats, {1, 2, 8, 16});
  save_ub(values);
}

// Cast from int32 to half, which the scale of SetDeqScale counts for too.
extern "C" __global__ __aicore__ void cast(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  Call call(values);
  fill_ub(values);
  set_scale(call, values);
  Cast(call.dst.tensor<half>(), call.src.tensor<int32_t>(), RoundMode::CAST_NONE, call.count);
  save_ub(values);
}

// A buffer of 8 KB is handed out before the scale is set, or between that and CastDequant: then
// what lies behind it belongs to nobody.
extern "C" __global__ __aicore__ void buffer_first(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  Call call(values);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 8192);
  fill_ub(values);
  set_scale(call, values);
  with_types(call);
  save_ub(values);
}
extern "C" __global__ __aicore__ void buffer_later(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  Call call(values);
  fill_ub(values);
  set_scale(call, values);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 8192);
  with_types(call);
  save_ub(values);
}
