// One case of Conv3D for each core: a part of a convolution of volumes, or calls in a wrong order.
#include "kernel_operator.h"
#include "lib/conv/conv3d/conv3d_api.h"

using namespace AscendC;

enum Mode { ALL, NO_INIT, TWO_INITS, NO_INPUT, NO_WEIGHT, NO_ADDRESS, END_ONLY, REPEATS, OTHER_BIAS, NO_EVENT };

struct Case {
  int64_t input, weight, bias, output;  // bytes from the start; -1: none
  int64_t first_di, first_m;
  uint64_t co, depth, m;
  int64_t batches, input_batch, output_batch;  // strides in elements
  int64_t bfloat, mode;
  TConv3DApiTiling tiling;
};

template <class T>
__aicore__ GlobalTensor<T> at(GM_ADDR memory, int64_t offset) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(memory + offset));
  return tensor;
}

template <class T, class B>
__aicore__ void run(GM_ADDR in, GM_ADDR out, const Case& c) {
  using Input = ConvApi::ConvType<TPosition::GM, ConvFormat::NDC1HWC0, T>;
  using Weight = ConvApi::ConvType<TPosition::GM, ConvFormat::FRACTAL_Z_3D, T>;
  using Output = ConvApi::ConvType<TPosition::GM, ConvFormat::NDC1HWC0, T>;
  using Bias = ConvApi::ConvType<TPosition::GM, ConvFormat::ND, B>;
  Conv3dApi::Conv3D<Input, Weight, Output, Bias> conv;
  TPipe pipe;
  if (c.mode != NO_INIT) conv.Init(&c.tiling);
  if (c.mode == TWO_INITS) conv.Init(&c.tiling);
  if (c.mode == END_ONLY) return conv.End();
  for (int i = 0; c.mode == NO_EVENT && i < 8; ++i) pipe.AllocEventID<HardEvent::MTE2_MTE1>();
  if (c.mode == REPEATS) SetLoadDataRepeat(LoadDataRepeatParam{1, 2, 0});
  if (c.mode != NO_WEIGHT) conv.SetWeight(at<T>(in, c.weight));
  if (c.bias >= 0) conv.SetBias(at<B>(in, c.bias));
  conv.SetInputStartPosition(c.first_di, c.first_m);
  conv.SetSingleOutputShape(c.co, c.depth, c.m);
  const GlobalTensor<T> result = at<T>(out, c.output);
  GlobalTensor<T> input = at<T>(in, c.input);
  if (c.mode == NO_ADDRESS) input = GlobalTensor<T>();
  for (int64_t batch = 0; batch < c.batches; ++batch) {
    if (c.mode != NO_INPUT) conv.SetInput(input[batch * c.input_batch]);
    conv.IterateAll(result[batch * c.output_batch]);
    conv.End();
  }
  for (int i = 0; c.mode == NO_EVENT && i < 8; ++i) pipe.ReleaseEventID<HardEvent::MTE2_MTE1>(i);
}

extern "C" __global__ __aicore__ void conv3d_cases(GM_ADDR in, GM_ADDR cases, GM_ADDR out) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  const Case& c = reinterpret_cast<const Case*>(cases)[GetBlockIdx()];
  if (c.bfloat) return run<bfloat16_t, float>(in, out, c);
  if (c.mode == OTHER_BIAS) return run<half, float>(in, out, c);
  run<half, half>(in, out, c);
}
