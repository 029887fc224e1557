// Functions of the library with isReuseSource: their results, and what they leave of a source.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kApart = 8192, kRows = 2, kColumns = 128, kCount = kRows * kColumns;

template <class T>
__aicore__ inline LocalTensor<T> at(uint32_t part, uint32_t count = kCount) {
  return LocalTensor<T>(TPosition::VECCALC, part * kApart, count);
}
template <class T>
__aicore__ inline GlobalTensor<T> global(GM_ADDR from) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(from), kCount);
  return tensor;
}

template <class T, bool reuses>
__aicore__ inline void call(int32_t which) {
  const LocalTensor<T> x = at<T>(0), y = at<T>(1), dst = at<T>(2), mean = at<T>(3, 32),
                       variance = at<T>(4, 32), more = at<T>(5);
  uint32_t shape[] = {kRows, kColumns}, narrow[] = {4, 64};
  if (which == 0) Sin<T, reuses>(dst, x);
  if (which == 1) Cos<T, reuses>(dst, x);
  if (which == 2) Digamma<T, reuses>(dst, x);
  if (which == 3) Lgamma<T, reuses>(dst, x);
  if (which == 5) Tan<T, reuses>(dst, x);
  LayerNormTiling layer{};
  layer.bLength = 1;
  layer.sLength = kRows;
  layer.hLength = layer.originalHLength = kColumns;
  if (which == 6) LayerNorm<T, reuses>(dst, mean, variance, x, y, more, T(0.001f), layer);
  if (which == 7) {
    LayerNorm<T, reuses>(x, mean, variance, x, y, more, T(0.001f), layer);
    PipeBarrier<PIPE_V>();
    DataCopy(dst, x, kCount);
  }
  DeepNormTiling deep{};
  deep.bLength = 1;
  deep.sLength = kRows;
  deep.hLength = deep.originalHLength = kColumns;
  if (which == 8) {
    DeepNorm<T, reuses>(dst, mean, variance, x, y, more, more, T(1.0f), T(0.001f), deep);
  }
  if constexpr (sizeof(T) == 4) {
    if (which == 4) Exp<T, 12, reuses>(dst, x);
    if (which == 9) ReduceSum<T, Pattern::Reduce::AR, reuses>(dst, x, shape, true);
    if (which == 10) ReduceProd<T, Pattern::Reduce::RA, reuses>(dst, x, shape, true);
    if (which == 11) ReduceSum<T, Pattern::Reduce::AR, reuses>(dst, x, narrow, true);
  }
  if (which == 12) ReduceMax<T, Pattern::Reduce::AR, reuses>(dst, x, shape, true);
}

extern "C" __global__ __aicore__ void reused(GM_ADDR in, GM_ADDR out, GM_ADDR left, int32_t which,
                                             int32_t is_half, int32_t reuses) {
  for (uint32_t part : {0, 1, 5}) DataCopy(at<float>(part), global<float>(in), kCount);
  PipeBarrier<PIPE_ALL>();
  Duplicate(at<float>(2), 0.0f, kCount);
  PipeBarrier<PIPE_ALL>();
  if (is_half) {
    reuses ? call<half, true>(which) : call<half, false>(which);
  } else {
    reuses ? call<float, true>(which) : call<float, false>(which);
  }
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<float>(out), at<float>(2), kCount);
  DataCopy(global<float>(left), at<float>(0), kCount);
}
