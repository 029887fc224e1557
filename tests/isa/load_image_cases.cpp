// SetAippFunctions and LoadImageToLocal, one case a block. The image is the piece of GM that the
// picture lies in, then what L1 holds before; the result is L1.
#include "local_image.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : gm_bytes(values.next()),
        l1_bytes(values.next()),
        sets(values.next()),
        planes(values.next()),
        format(values.next()),
        src0(values.next()),
        src0_bytes(values.next()),
        src1(values.next()),
        src1_bytes(values.next()),
        out(values.next()),
        type(values.next()),
        dst(values) {}

  uint32_t gm_bytes, l1_bytes;  // l1_bytes 0: the memory is neither filled nor saved
  bool sets;
  int64_t planes, format;  // planes 2: the form with src1
  uint32_t src0, src0_bytes, src1, src1_bytes;
  int64_t out, type;
  Place dst;
};

template <class T>
AippParams<T> params_of(Case& values) {
  AippParams<T> p;
  p.paddingParams.paddingMode = values.next();
  for (T* value : {&p.paddingParams.paddingValueCh0, &p.paddingParams.paddingValueCh1,
                   &p.paddingParams.paddingValueCh2, &p.paddingParams.paddingValueCh3}) {
    *value = element_of<T>(values.next());
  }
  p.swapParams = {values.next() != 0, values.next() != 0, values.next() != 0};
  p.singleLineParams.isSingleLineCopy = values.next();
  AippDataTypeConvParams& d = p.dtcParams;
  for (uint8_t* mean : {&d.dtcMeanCh0, &d.dtcMeanCh1, &d.dtcMeanCh2}) *mean = values.next();
  for (half* number : {&d.dtcMinCh0, &d.dtcMinCh1, &d.dtcMinCh2, &d.dtcVarCh0, &d.dtcVarCh1,
                       &d.dtcVarCh2}) {
    *number = element_of<half>(values.next());
  }
  d.dtcRoundMode = values.next();
  p.cPaddingParams.cPaddingMode = values.next();
  p.cPaddingParams.cPaddingValue = element_of<T>(values.next());
  AippColorSpaceConvParams& c = p.cscParams;
  c.isEnableCsc = values.next();
  for (int16_t* entry : {&c.cscMatrixR0C0, &c.cscMatrixR0C1, &c.cscMatrixR0C2, &c.cscMatrixR1C0,
                         &c.cscMatrixR1C1, &c.cscMatrixR1C2, &c.cscMatrixR2C0, &c.cscMatrixR2C1,
                         &c.cscMatrixR2C2}) {
    *entry = values.next();
  }
  for (uint8_t* bias : {&c.cscBiasIn0, &c.cscBiasIn1, &c.cscBiasIn2, &c.cscBiasOut0,
                        &c.cscBiasOut1, &c.cscBiasOut2}) {
    *bias = values.next();
  }
  return p;
}

GlobalTensor<uint8_t> plane(Case& values, uint32_t at, uint32_t bytes) {
  GlobalTensor<uint8_t> tensor;
  tensor.SetGlobalBuffer((__gm__ uint8_t*)values.image().GetPhyAddr(at), bytes);
  return tensor;
}

template <class T>
void set(Case& values, const Call& call) {
  const AippParams<T> params = params_of<T>(values);
  if (!call.sets) return;
  const auto src0 = plane(values, call.src0, call.src0_bytes);
  const auto format = AippInputFormat(call.format);
  if (call.planes == 2) {
    SetAippFunctions(src0, plane(values, call.src1, call.src1_bytes), format, params);
  } else if (call.planes == 3) {  // of another type
    GlobalTensor<int8_t> other;
    other.SetGlobalBuffer((__gm__ int8_t*)src0.GetPhyAddr(), call.src0_bytes);
    SetAippFunctions(other, format, params);
  } else {
    SetAippFunctions(src0, format, params);
  }
}

}  // namespace

extern "C" __global__ __aicore__ void load_image_cases(GM_ADDR table, GM_ADDR images,
                                                       GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  fill_memory(TPosition::A1, values.image()[call.gm_bytes], call.l1_bytes);
  with_type(call.out, [&](auto element) { set<decltype(element)>(values, call); });
  LoadImageToLocalParams params;
  for (uint16_t* size : {&params.horizSize, &params.vertSize, &params.horizStartPos,
                         &params.vertStartPos, &params.srcHorizSize}) {
    *size = values.next();
  }
  for (uint8_t* pad : {&params.topPadSize, &params.botPadSize, &params.leftPadSize,
                       &params.rightPadSize}) {
    *pad = values.next();
  }
  with_type(call.type, [&](auto element) {
    LoadImageToLocal(call.dst.tensor<decltype(element)>(), params);
  });
  save_memory(values.result(), TPosition::A1, call.l1_bytes);
}
