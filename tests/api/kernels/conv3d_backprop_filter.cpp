// One case of Conv3DBackpropFilter for each core: slices of a gradient, summed over the batches and slices of the
// output; or calls in a wrong order.
#include "kernel_operator.h"
#include "lib/conv_backprop/conv3d_bp_filter_api.h"

using namespace AscendC;
using ConvCommonApi::ConvFormat;

enum Mode { ALL, DEFAULTS, TWO_OBJECTS, NO_INIT, TWO_INITS, NO_INPUT, NO_GRAD_OUTPUT, NO_ADDRESS, END_ONLY, REPEATS,
            EARLY, NOT_AGAIN, NO_EVENT };

struct Case {
  int64_t input, grad_output, output;  // bytes from the start
  int64_t first_ho;
  uint64_t m, n, k;
  int64_t first_dk, slices;
  int64_t c1, n1;  // all of them
  int64_t bfloat, atomic, mode;  // atomic: of the first sums; -1: nothing is said
  TConv3DBpFilterTiling tiling;
};

template <class T>
__aicore__ GlobalTensor<T> at(GM_ADDR memory, int64_t offset) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(memory + offset));
  return tensor;
}

template <ConvFormat FORMAT, class T>
using Type = ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, FORMAT, T>;

template <class T>
using Gradient = ConvBackpropApi::Conv3DBackpropFilter<Type<ConvFormat::NDC1HWC0, T>, Type<ConvFormat::ND, int32_t>,
                                                       Type<ConvFormat::NDC1HWC0, T>,
                                                       Type<ConvFormat::FRACTAL_Z_3D, float>>;

template <class T>
__aicore__ void prepare(Gradient<T>& conv, const Case& c) {
  if (c.mode != NO_INIT) conv.Init(&c.tiling);
  if (c.mode == TWO_INITS) conv.Init(&c.tiling);
  if (c.mode == DEFAULTS) return;
  conv.SetSingleShape(c.m, c.n, c.k);
  conv.SetStartPosition(static_cast<uint32_t>(c.first_ho));
}

template <class T>
__aicore__ void run(GM_ADDR in, GM_ADDR out, const Case& c) {
  const TConv3DBpFilterTiling& t = c.tiling;
  Gradient<T> conv, other;
  TPipe pipe;
  prepare(conv, c);
  if (c.mode == TWO_OBJECTS) prepare(other, c);
  if (c.mode == END_ONLY) return other.End();
  for (int i = 0; c.mode == NO_EVENT && i < 8; ++i) pipe.AllocEventID<HardEvent::MTE2_MTE1>();
  if (c.mode == REPEATS) SetLoadDataRepeat(LoadDataRepeatParam{1, 2, 0});
  const int64_t x_slice = c.c1 * t.hi * t.wi * 16, y_slice = c.n1 * t.ho * t.wo * 16;
  const int64_t w_slice = c.c1 * t.hk * t.wk * c.n1 * 256;
  const GlobalTensor<T> x = at<T>(in, c.input), y = at<T>(in, c.grad_output);
  const GlobalTensor<float> w = at<float>(out, c.output);
  for (int64_t dk = 0; dk < c.slices; ++dk) {
    bool first = true;
    for (int64_t slice = 0; slice < int64_t(t.batch) * t.dout; ++slice) {
      const int64_t batch = slice / t.dout, d = slice % t.dout;
      const int64_t di = d * t.strideD - t.padFront + (c.first_dk + dk) * t.dilationD;
      if (di < 0 || di >= t.di) continue;
      if (c.mode != NO_INPUT) conv.SetInput(c.mode == NO_ADDRESS ? GlobalTensor<T>() : x[(batch * t.di + di) * x_slice]);
      if (c.mode != NO_GRAD_OUTPUT) conv.SetGradOutput(y[slice * y_slice]);
      if (c.mode == EARLY) conv.GetTensorC(w);
      while (conv.Iterate()) {
        if (c.mode == TWO_OBJECTS) {
          other.SetInput(x);
          other.SetGradOutput(y);
          other.ctx.isFirstIter_ = true;
          other.Iterate();
        }
        if (first && c.atomic >= 0) {
          conv.GetTensorC(w[dk * w_slice], static_cast<uint8_t>(c.atomic));
        } else {
          conv.GetTensorC(w[dk * w_slice]);
        }
      }
      first = false;
      if (c.mode != NOT_AGAIN) conv.ctx.isFirstIter_ = true;
    }
  }
  conv.End();
  for (int i = 0; c.mode == NO_EVENT && i < 8; ++i) pipe.ReleaseEventID<HardEvent::MTE2_MTE1>(i);
}

extern "C" __global__ __aicore__ void conv3d_cases(GM_ADDR in, GM_ADDR cases, GM_ADDR out) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  const Case& c = reinterpret_cast<const Case*>(cases)[GetBlockIdx()];
  if (c.bfloat) return run<bfloat16_t>(in, out, c);
  run<half>(in, out, c);
}
