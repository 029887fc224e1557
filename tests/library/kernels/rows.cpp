// Functions on rows: SoftMax and its kin, sorting, reductions, quantisation. Everything lies in UB
// one after the other, 16 KB apart: x, y, three columns, an array of indices, results.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kApart = 16384;

template <class T>
__aicore__ LocalTensor<T> at(uint32_t place) {
  return LocalTensor<T>(TPosition::VECCALC, place * kApart, kApart / sizeof(T));
}
template <class T>
__aicore__ GlobalTensor<T> global(GM_ADDR gm) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer((__gm__ T*)gm);
  return tensor;
}
// 16 KB each.
__aicore__ void in(GM_ADDR from, uint32_t place) {
  DataCopy(at<uint8_t>(place), global<uint8_t>(from), kApart);
}
__aicore__ void out(GM_ADDR to, uint32_t place) {
  DataCopy(global<uint8_t>(to), at<uint8_t>(place), kApart);
}

#define PARAMETERS                                                                                 \
  GM_ADDR x, GM_ADDR y, GM_ADDR before, GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR d, uint32_t kind, \
      uint32_t rows, uint32_t columns, uint32_t counted
#define KERNEL(name, T, U)                                          \
  extern "C" __global__ __aicore__ void name(PARAMETERS) {          \
    in(x, 0);                                                       \
    in(y, 1);                                                       \
    for (uint32_t place = 2; place < 6; ++place) in(before, place); \
    PipeBarrier<PIPE_ALL>();                                        \
    name##_function<T, U>(kind, rows, columns, counted);            \
    PipeBarrier<PIPE_ALL>();                                        \
    out(a, 2);                                                      \
    out(b, 3);                                                      \
    out(c, 4);                                                      \
    out(d, 5);                                                      \
  }

// E: what the call names as T.
template <class T, class U, class E = T>
__aicore__ void softmax_function(uint32_t kind, uint32_t rows, uint32_t columns, uint32_t counted) {
  const LocalTensor<T> x = at<T>(0), y = at<T>(1), dst = at<T>(2), exp_max = at<T>(5);
  const LocalTensor<U> sum = at<U>(3), max = at<U>(4);
  const LocalTensor<uint8_t> scratch = at<uint8_t>(6);
  const SoftMaxShapeInfo shape{rows, columns, rows, counted};
  const SoftMaxTiling tiling;
  if (kind == 0) SoftMax<E>(dst, sum, max, x, scratch, tiling, shape);
  if (kind == 1) SoftMax<T>(dst, x, tiling, shape);
  if (kind == 2) SoftmaxFlashV2<E>(dst, sum, max, x, exp_max, sum, max, tiling, shape);
  if (kind == 3) {
    SoftMax<E>(dst, sum, max, y, scratch, tiling, shape);
    PipeBarrier<PIPE_V>();
    SoftmaxFlashV2<E, true>(dst, sum, max, x, exp_max, sum, max, tiling, shape);
  }
  if (kind == 4) {
    SoftMax<E>(dst, sum, max, y, scratch, tiling, shape);
    PipeBarrier<PIPE_V>();
    SoftmaxFlash<E>(dst, sum, max, x, exp_max, sum, max, tiling, true, shape);
  }
  if (kind == 5) {
    SoftMax<E>(dst, sum, max, y, scratch, tiling, shape);
    PipeBarrier<PIPE_V>();
    SimpleSoftMax<E>(dst, sum, max, x, scratch, tiling, shape);
  }
  if (kind == 6) SoftmaxGrad<T>(dst, x, y, scratch, tiling, false, shape);
  if (kind == 7) SoftmaxGradFront<T>(dst, x, y, tiling, shape);
  if (kind == 8) SoftMax<E, false, false, true>(dst, sum, max, x, scratch, tiling, shape);
  if constexpr (sizeof(T) == sizeof(U)) {
    if (kind == 9) LogSoftMax<T>(dst, sum, max, x, scratch, tiling, shape);
  }
}
KERNEL(softmax, float, float)

#define softmax_half_function softmax_function
#define softmax_mixed_function softmax_function
KERNEL(softmax_half, half, half)
KERNEL(softmax_mixed, half, float)
template <class T, class U>
__aicore__ void softmax_mixed_as_float_function(uint32_t kind, uint32_t rows, uint32_t columns,
                                                uint32_t counted) {
  softmax_function<T, U, float>(kind, rows, columns, counted);
}
KERNEL(softmax_mixed_as_float, half, float)

template <class T, class U>
__aicore__ void rows_function(uint32_t kind, uint32_t rows, uint32_t columns, uint32_t counted) {
  const LocalTensor<T> x = at<T>(0), y = at<T>(1), dst = at<T>(2), other = at<T>(3);
  LocalTensor<T> scratch = at<T>(6);
  const LocalTensor<uint8_t> bytes = at<uint8_t>(6);
  const LocalTensor<int32_t> index = at<int32_t>(1), indices = at<int32_t>(3);
  const uint32_t shape[] = {rows, columns};
  if (kind == 0) Arange<T>(dst, x.GetValue(0), x.GetValue(1), int32_t(counted));
  if (kind == 1) {
    LocalTensor<T> concat;
    LocalTensor<T> proposals = at<T>(5);
    Concat(concat, x, proposals, int32_t(counted));
    PipeBarrier<PIPE_V>();
    Sort<T, true>(other, concat, index.ReinterpretCast<uint32_t>(), scratch, int32_t(counted));
    PipeBarrier<PIPE_V>();
    Extract(dst, at<uint32_t>(4), other, int32_t(counted));
  }
  if (kind == 2 || kind == 3) {
    TopK<T>(dst, indices, x, index, at<bool>(5), bytes, int32_t(counted), TopkTiling{},
            TopKInfo{int32_t(rows), int32_t(columns), int32_t(columns) - 5}, kind == 2);
  }
  if constexpr (sizeof(T) == 4) {
    if (kind == 4) ReduceSum<T, Pattern::Reduce::AR>(dst, x, bytes, shape, true);
    if (kind == 5) ReduceSum<T, Pattern::Reduce::RA>(dst, x, bytes, shape, true);
  }
  if (kind == 6) ReduceMax<T, Pattern::Reduce::AR>(dst, x, bytes, shape, true);
  if (kind == 7) ReduceMin<T, Pattern::Reduce::RA>(dst, x, shape, true);
  if (kind == 40) {
    TopK<T, true, false, false, TopKMode::TOPK_NSMALL>(dst, indices, x, index, at<bool>(5), bytes,
                                                       int32_t(counted), TopkTiling{},
                                                       TopKInfo{int32_t(rows), 32, 8}, true);
  }
  if (kind == 8) Sum<T>(dst, x, bytes, SumParams{rows, columns, counted});
  if (kind == 9) Mean<T, float>(dst, x, MeanParams{rows, columns, counted});
  static constexpr CumSumConfig kDown{false, false, true};
  if (kind == 10) CumSum<T, kDown>(dst, other, x, bytes, CumSumInfo{rows, columns});
  if (kind == 11) CumSum<T>(dst, other, x, CumSumInfo{rows, columns});
  if (kind == 12) {
    const uint32_t from[] = {rows, 1};
    Broadcast<T, 2, 1>(dst, x, shape, from, bytes);
  }
  if (kind == 13) {
    const uint32_t from[] = {1, columns};
    BroadCast<T, 2, 0>(dst, x, shape, from);
  }
  SelectWithBytesMaskShapeInfo info;
  info.firstAxis = rows;
  info.srcLastAxis = columns;
  info.maskLastAxis = counted;
  if (kind == 14) Select<T, uint8_t>(dst, x, T(7.0f), at<uint8_t>(1), bytes, info);
  if (kind == 15) SelectWithBytesMask<T, uint8_t>(dst, T(7.0f), x, at<uint8_t>(1), bytes, info);
  if (kind == 16) {
    AscendDequant<T, float>(dst, at<int32_t>(0), at<float>(1),
                            DequantParams{rows, columns, counted});
  }
  if (kind == 17) AscendQuant<T>(at<int8_t>(2), x, bytes, 2.5f, -3.0f, counted);
}
KERNEL(rows, float, float)
#define rows_half_function rows_function
KERNEL(rows_half, half, half)
