// DataCopy between L0C and UB, either way, one case a block. The image is L0C, then UB; the result
// is both afterwards.
#include "local_image.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : l0c_bytes(values.next()),
        ub_bytes(values.next()),
        types(values.next()),
        dst(values),
        src(values) {
    params.blockCount = values.next();
    params.blockLen = values.next();
    params.srcGap = values.next();
    params.dstGap = values.next();
    enhanced.blockMode = BlockMode(values.next());
    enhanced.deqScale = DeqScale(values.next());
    enhanced.deqValue = values.next();
    enhanced.sidStoreMode = values.next();
    enhanced.isRelu = values.next();
    enhanced.deqTensorAddr = values.next();
    const TPosition pointed = TPosition(values.next());
    if (pointed == TPosition::GM) return;  // else a pointer into that memory
    const LocalTensor<uint64_t> scales(pointed, enhanced.deqTensorAddr, 16);
    enhanced.deqTensorAddr = (uint64_t)scales.GetPhyAddr();
  }

  uint32_t l0c_bytes, ub_bytes;  // 0, 0: no memory is filled or saved
  int64_t types;
  Place dst, src;
  DataCopyParams params;
  DataCopyEnhancedParams enhanced;
};

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
    case 804: return copy<float, half>(call);
    case 606: return copy<int32_t, int32_t>(call);
    case 707: return copy<uint32_t, uint32_t>(call);
    case 406: return copy<half, int32_t>(call);
    case 206: return copy<int16_t, int32_t>(call);
    case 6: return copy<int8_t, int32_t>(call);
    case 106: return copy<uint8_t, int32_t>(call);
    case 608: return copy<int32_t, float>(call);
    case 202: return copy<int16_t, int16_t>(call);
    default: return copy<bfloat16_t, bfloat16_t>(call);
  }
}

}  // namespace

extern "C" __global__ __aicore__ void data_copy_l0c_cases(GM_ADDR table, GM_ADDR images,
                                                          GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  if (call.l0c_bytes == 0) return copy_types(call);
  fill_memory(TPosition::CO1, values.image(), call.l0c_bytes);
  fill_memory(TPosition::VECCALC, values.image()[call.l0c_bytes], call.ub_bytes);
  copy_types(call);
  save_memory(values.result(), TPosition::CO1, call.l0c_bytes);
  save_memory(values.result()[call.l0c_bytes], TPosition::VECCALC, call.ub_bytes);
}
