// DataCopy from CO1 to CO2, one case a block. L0C gets outer products: fractal row r of the image's
// columns a0, a1 times its rows b0, b1. The image is A, B, and what UB holds before.
#include "cube_cases.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : fractals(values.next()),
        ub_bytes(values.next()),
        c_is_half(values.next()),
        types(values.next()),
        dst(values),
        src(values) {
    params.blockCount = values.next();
    params.blockLen = values.next();
    params.srcGap = values.next();
    params.dstGap = values.next();
    enhanced.blockMode = BlockMode(values.next());
    enhanced.deqScale = DeqScale(values.next());
    enhanced.sidStoreMode = values.next();
    enhanced.isRelu = values.next();
  }

  uint32_t fractals, ub_bytes;
  bool c_is_half;
  int64_t types;
  Place dst, src;
  DataCopyParams params;
  DataCopyEnhancedParams enhanced;
};

// C = a0 * b0 + a1 * b1: k = 2, so only two elements of each row of A count.
template <class C>
void fill_l0c(Case& values, const Call& call) {
  const uint32_t a_bytes = call.fractals * kFractal;
  fill_l0(TPosition::A2, values.image(), a_bytes);
  fill_l0(TPosition::B2, values.image()[a_bytes], kFractal);
  const LocalTensor<half> a(TPosition::A2, 0, a_bytes / 2);
  const LocalTensor<half> b(TPosition::B2, 0, 256);
  const LocalTensor<C> c(TPosition::CO1, 0, call.fractals * 256);
  Mmad(c, a, b, MmadParams(uint16_t(call.fractals * 16), 16, 2, 0, false, true));
}

template <class Dst, class Src>
void copy(const Call& call) {
  DataCopy(call.dst.tensor<Dst>(), call.src.tensor<Src>(), call.params, call.enhanced);
}

// The types as two digits of destination and source: the numbers of with_type.
void copy_types(const Call& call) {
  switch (call.types) {
    case 404: return copy<half, half>(call);
    case 808: return copy<float, float>(call);
    case 408: return copy<half, float>(call);
    case 606: return copy<int32_t, int32_t>(call);
    case 707: return copy<uint32_t, uint32_t>(call);
    case 406: return copy<half, int32_t>(call);
    case 206: return copy<int16_t, int32_t>(call);
    case 6: return copy<int8_t, int32_t>(call);
    case 106: return copy<uint8_t, int32_t>(call);
    case 804: return copy<float, half>(call);
    case 202: return copy<int16_t, int16_t>(call);
    default: return copy<bfloat16_t, bfloat16_t>(call);
  }
}

}  // namespace

extern "C" __global__ __aicore__ void data_copy_l0c_cases(GM_ADDR table, GM_ADDR images,
                                                          GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  if (call.fractals == 0) return copy_types(call);
  call.c_is_half ? fill_l0c<half>(values, call) : fill_l0c<float>(values, call);
  const LocalTensor<uint8_t> ub = bytes_of(TPosition::VECCALC, call.ub_bytes);
  DataCopy(ub, values.image()[(call.fractals + 1) * kFractal], whole(call.ub_bytes));
  PipeBarrier<PIPE_ALL>();
  copy_types(call);
  PipeBarrier<PIPE_ALL>();
  DataCopy(values.result(), ub, whole(call.ub_bytes));
}
