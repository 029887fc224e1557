#include "kernel_operator.h"
#include "lib/conv_backprop/conv3d_bp_filter_api.h"

using namespace AscendC;
using ConvCommonApi::ConvFormat;

template <ConvFormat FORMAT, class T>
using Type = ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, FORMAT, T>;

extern "C" __global__ __aicore__ void conv3d_grad_weight(GM_ADDR x, GM_ADDR y, GM_ADDR weight, GM_ADDR workspace,
                                                         GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  GET_TILING_DATA(data, tiling);
  const Conv3DBackpropFilterTilingData* tilingData = &data;
  const auto& t = tilingData->dwTiling;
  const uint64_t c1 = (t.cin + 15) / 16, n1 = (t.cout + 15) / 16;
  GlobalTensor<half> inputs, gradients;
  GlobalTensor<float> to;
  inputs.SetGlobalBuffer((__gm__ half*)x);
  gradients.SetGlobalBuffer((__gm__ half*)y);
  to.SetGlobalBuffer((__gm__ float*)weight);
  ConvBackpropApi::Conv3DBackpropFilter<Type<ConvFormat::NDC1HWC0, half>, Type<ConvFormat::ND, int32_t>,
                                        Type<ConvFormat::NDC1HWC0, half>, Type<ConvFormat::FRACTAL_Z_3D, float>>
      gradWeight;
  gradWeight.Init(&(tilingData->dwTiling));
  for (uint64_t dk = 0; dk < t.dk; ++dk) {
    for (uint64_t slice = 0; slice < t.singleCoreBatch * t.dout; ++slice) {
      const uint64_t from = slice / t.dout * t.di + slice % t.dout + dk;
      gradWeight.SetGradOutput(gradients[slice * n1 * t.ho * t.wo * 16]);
      gradWeight.SetInput(inputs[from * c1 * t.hi * t.wi * 16]);
      while (gradWeight.Iterate()) {
        gradWeight.GetTensorC(to[dk * c1 * t.hk * t.wk * n1 * 256], slice == 0 ? 0 : 1);
      }
      gradWeight.ctx.isFirstIter_ = true;
    }
  }
  gradWeight.End();
}
