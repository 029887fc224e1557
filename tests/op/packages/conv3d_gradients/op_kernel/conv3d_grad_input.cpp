#include "kernel_operator.h"
#include "lib/conv_backprop/conv3d_bp_input_api.h"

using namespace AscendC;
using ConvCommonApi::ConvFormat;

template <ConvFormat FORMAT, class T>
using Type = ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, FORMAT, T>;

extern "C" __global__ __aicore__ void conv3d_grad_input(GM_ADDR weight, GM_ADDR y, GM_ADDR x, GM_ADDR workspace,
                                                        GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  GET_TILING_DATA(data, tiling);
  const Conv3DBackpropInputTilingData* tilingData = &data;
  const auto& t = tilingData->conv3DDxTiling;
  GlobalTensor<half> from, to, with;
  from.SetGlobalBuffer((__gm__ half*)y);
  to.SetGlobalBuffer((__gm__ half*)x);
  with.SetGlobalBuffer((__gm__ half*)weight);
  ConvBackpropApi::Conv3DBackpropInput<Type<ConvFormat::FRACTAL_Z_3D, half>, Type<ConvFormat::ND, int32_t>,
                                       Type<ConvFormat::NDC1HWC0, half>, Type<ConvFormat::NDC1HWC0, half>>
      gradInput;
  gradInput.Init(&(tilingData->conv3DDxTiling));
  for (uint64_t batch = 0; batch < t.singleCoreBatch; ++batch) {
    gradInput.SetSingleShape(t.singleCoreM, uint64_t(t.singleCoreCout) * t.hk * t.wk, uint32_t(t.singleCoreCin));
    gradInput.SetStartPosition(0, -t.backpropPadUp);
    gradInput.SetGradOutput(from[batch * t.dout * t.cout1 * t.ho * t.wo * 16]);
    gradInput.SetWeight(with);
    while (gradInput.Iterate()) gradInput.GetTensorC(to[batch * t.di * t.cin1 * t.hi * t.wi * 16]);
    gradInput.ctx.isFirstIter_ = true;
  }
  gradInput.End();
}
