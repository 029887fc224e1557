// One case of Conv3DBackpropInput for each core: a part of a gradient, or calls in a wrong order.
#include "kernel_operator.h"
#include "lib/conv_backprop/conv3d_bp_input_api.h"

using namespace AscendC;
using ConvCommonApi::ConvFormat;

enum Mode { ALL, DEFAULTS, TWO_OBJECTS, NO_INIT, TWO_INITS, NO_GRAD_OUTPUT, NO_WEIGHT, NO_ADDRESS, END_ONLY, REPEATS,
            EARLY, NOT_AGAIN, NO_EVENT, NCDHW };

struct Case {
  int64_t weight, grad_output, output;  // bytes from the start
  int64_t din, ho;
  uint64_t m, k, n;
  int64_t batches, in_batch, out_batch;  // strides in elements
  int64_t bfloat, atomic, mode;
  TConv3DBackpropInputTiling tiling;
};

template <class T>
__aicore__ GlobalTensor<T> at(GM_ADDR memory, int64_t offset) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(memory + offset));
  return tensor;
}

template <ConvFormat FORMAT, class T>
using Type = ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, FORMAT, T>;

template <class T, ConvFormat FORMAT = ConvFormat::NDC1HWC0>
using Gradient = ConvBackpropApi::Conv3DBackpropInput<Type<ConvFormat::FRACTAL_Z_3D, T>, Type<ConvFormat::ND, int32_t>,
                                                      Type<ConvFormat::NDC1HWC0, T>, Type<FORMAT, T>>;

template <class G, class T>
__aicore__ void prepare(G& conv, GM_ADDR in, const Case& c) {
  if (c.mode != NO_INIT) conv.Init(&c.tiling);
  if (c.mode == TWO_INITS) conv.Init(&c.tiling);
  if (c.mode != NO_WEIGHT) conv.SetWeight(at<T>(in, c.weight));
  if (c.mode == DEFAULTS) return;
  conv.SetSingleShape(c.m, c.k, static_cast<uint32_t>(c.n));
  conv.SetStartPosition(static_cast<uint32_t>(c.din), static_cast<int32_t>(c.ho));
}

template <class G, class T>
__aicore__ void run(GM_ADDR in, GM_ADDR out, const Case& c) {
  G conv, other;
  TPipe pipe;
  prepare<G, T>(conv, in, c);
  if (c.mode == TWO_OBJECTS) prepare<G, T>(other, in, c);
  if (c.mode == END_ONLY) return other.End();
  for (int i = 0; c.mode == NO_EVENT && i < 8; ++i) pipe.AllocEventID<HardEvent::MTE2_MTE1>();
  if (c.mode == REPEATS) SetLoadDataRepeat(LoadDataRepeatParam{1, 2, 0});
  const GlobalTensor<T> result = at<T>(out, c.output);
  GlobalTensor<T> input = at<T>(in, c.grad_output);
  if (c.mode == NO_ADDRESS) input = GlobalTensor<T>();
  for (int64_t batch = 0; batch < c.batches; ++batch) {
    if (c.mode != NO_GRAD_OUTPUT) conv.SetGradOutput(input[batch * c.in_batch]);
    if (c.mode == EARLY) conv.GetTensorC(result);
    while (conv.Iterate()) {
      if (c.mode == TWO_OBJECTS) {
        other.SetGradOutput(input);
        other.ctx.isFirstIter_ = true;
        other.Iterate();
      }
      if (c.atomic < 0) {
        conv.GetTensorC(result[batch * c.out_batch]);
      } else {
        conv.GetTensorC(result[batch * c.out_batch], static_cast<uint8_t>(c.atomic));
      }
    }
    if (c.mode != NOT_AGAIN) conv.ctx.isFirstIter_ = true;
  }
  conv.End();
  for (int i = 0; c.mode == NO_EVENT && i < 8; ++i) pipe.ReleaseEventID<HardEvent::MTE2_MTE1>(i);
}

extern "C" __global__ __aicore__ void conv3d_cases(GM_ADDR in, GM_ADDR cases, GM_ADDR out) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  const Case& c = reinterpret_cast<const Case*>(cases)[GetBlockIdx()];
  if (c.mode == NCDHW) return run<Gradient<half, ConvFormat::NCDHW>, half>(in, out, c);
  if (c.bfloat) return run<Gradient<bfloat16_t>, bfloat16_t>(in, out, c);
  run<Gradient<half>, half>(in, out, c);
}
