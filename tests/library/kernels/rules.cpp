// One call of each function of the library that has scratch memory, with the result and scratch
// memory where the block's line of the table says: 8 rows of 64 floats, everything 8 KB apart.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kApart = 8192, kRows = 8, kColumns = 64, kCount = kRows * kColumns;

struct Line {
  int32_t function;
  uint32_t dst, tmp, tmp_bytes;  // bytes of UB
};

template <class T>
__aicore__ LocalTensor<T> at(uint32_t address, uint32_t bytes = kApart) {
  return LocalTensor<T>(TPosition::VECCALC, address, bytes / sizeof(T));
}

// The number of a function is that of its line here, from 0 on.
#define ELEMENTS(F)                                                                            \
  F(Sigmoid) F(Tanh) F(Sin) F(Cos) F(Tan) F(Asin) F(Acos) F(Atan) F(Sinh) F(Cosh) F(Asinh)     \
  F(Acosh) F(Atanh) F(Erf) F(Erfc) F(Lgamma) F(Digamma) F(Ceil) F(Round) F(Trunc) F(Sign)

extern "C" __global__ __aicore__ void rules(GM_ADDR table) {
  const Line line = reinterpret_cast<const Line*>(table)[GetBlockIdx()];
  const auto x = at<float>(0), y = at<float>(kApart), gamma = at<float>(2 * kApart),
             beta = at<float>(3 * kApart), more = at<float>(4 * kApart),
             other = at<float>(5 * kApart), third = at<float>(6 * kApart);
  const auto dst = at<float>(line.dst);
  LocalTensor<uint8_t> tmp = at<uint8_t>(line.tmp, line.tmp_bytes);
  for (uint32_t i = 0; i < 7; ++i) Duplicate(at<float>(i * kApart), 0.5f, kApart / sizeof(float));
  PipeBarrier<PIPE_ALL>();
  int32_t number = 0;
  const auto is = [&] { return number++ == line.function; };
#define ELEMENT(name) \
  if (is()) name(dst, x, tmp, kCount);
  ELEMENTS(ELEMENT)
  const uint32_t shape[] = {kRows, kColumns}, wide[] = {4, 2 * kColumns}, column[] = {kRows, 1};
  const SoftMaxTiling tiling;
  const SoftMaxShapeInfo rows{kRows, kColumns, kRows, kColumns};
  if (is()) Exp<float, 5>(dst, x, tmp, kCount);
  if (is()) Power<float>(dst, x, y, tmp, kCount);
  if (is()) Power<float>(dst, x, 2.0f, tmp, kCount);
  if (is()) Axpy<float, float>(dst, x, 2.0f, tmp, kCount);
  if (is()) ClampMax(dst, x, tmp, 1.0f, kCount);
  if (is()) ClampMin(dst, x, tmp, 1.0f, kCount);
  if (is()) Gelu(dst, x, tmp, kCount);
  if (is()) FasterGelu(dst, x, tmp, kCount);
  if (is()) SoftMax<float>(dst, other, third, x, tmp, tiling, rows);
  if (is()) SimpleSoftMax<float>(dst, other, third, x, tmp, tiling, rows);
  if (is()) LogSoftMax<float>(dst, other, third, x, tmp, LogSoftMaxTiling{}, rows);
  if (is()) SoftmaxGrad<float>(dst, x, y, tmp, tiling, false, rows);
  if (is()) SoftmaxGradFront<float>(dst, x, y, tmp, tiling, rows);
  if (is()) ReduceSum<float, Pattern::Reduce::AR>(dst, x, tmp, wide, true);
  if (is()) ReduceSum<float, Pattern::Reduce::RA>(dst, x, tmp, shape, true);
  if (is()) ReduceMax<float, Pattern::Reduce::AR>(dst, x, tmp, wide, true);
  if (is()) Sum<float>(dst, x, tmp, SumParams{kRows, kColumns, kColumns});
  if (is()) Mean<float>(dst, x, tmp, MeanParams{kRows, kColumns, kColumns});
  if (is()) CumSum<float>(dst, other, x, tmp, CumSumInfo{kRows, kColumns});
  if (is()) AscendQuant(at<int8_t>(line.dst), x, tmp, 0.5f, 1.0f, kCount);
  if (is()) LayerNorm(dst, other, third, x, gamma, beta, tmp, 1e-5f, LayerNormTiling{
      1, kRows, kColumns, kColumns});
  if (is()) RmsNorm(dst, x, gamma, tmp, 1e-5f, RmsNormTiling{1, kRows, kColumns, kColumns});
  if (is()) {
    DeepNorm(dst, other, third, x, y, beta, gamma, tmp, 2.0f, 1e-5f,
             DeepNormTiling{1, kRows, kColumns, kColumns});
  }
  if (is()) Broadcast<float, 2, 1>(dst, x, shape, column, tmp);
  if (is()) {
    DropOutShapeInfo info;
    info.firstAxis = kRows;
    info.srcLastAxis = info.maskLastAxis = kColumns;
    DropOut(dst, x, at<uint8_t>(kApart), tmp, 0.5f, info);
  }
  if (is()) {
    AscendDequant(dst, x.ReinterpretCast<int32_t>(), gamma, tmp,
                  DequantParams{kRows, kColumns, kColumns});
  }
  PipeBarrier<PIPE_ALL>();
}
