// Limits that the documents give for shapes: each block makes the call of its line of the table,
// {which, a, b, c, d}.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kApart = 8192;

template <class T>
__aicore__ inline LocalTensor<T> at(uint32_t part, uint32_t parts = 1) {
  return LocalTensor<T>(TPosition::VECCALC, part * kApart, parts * kApart / sizeof(T));
}

template <class T>
__aicore__ inline void basic_blocks(int32_t which, const SoftMaxShapeInfo& shape) {
  const LocalTensor<T> x = at<T>(0), dst = at<T>(1), sum = at<T>(2), max = at<T>(3),
                       scale = at<T>(4), in_sum = at<T>(5), in_max = at<T>(6);
  const SoftMaxTiling tiling{};
  if (which == 0) SoftMax<T, false, true>(dst, sum, max, x, tiling, shape);
  if (which == 1) SoftMax<T, false, true>(dst, x, tiling, shape);
  if (which == 2) SimpleSoftMax<T, false, true>(dst, sum, max, x, tiling, shape);
  if (which == 3) {
    SoftmaxFlash<T, false, true>(dst, sum, max, x, scale, in_sum, in_max, tiling, true, shape);
  }
  if (which == 4) {
    SoftmaxFlashV2<T, true, false, true>(dst, sum, max, x, scale, in_sum, in_max, tiling, shape);
  }
  if (which == 5) SoftmaxGradFront<T, true>(dst, x, sum, tiling, shape);
  if (which == 6) SoftMax<T>(dst, sum, max, x, tiling, shape);
}

// Sums and maxima in place of others: where dst, sum, max and expMax lie.
__aicore__ inline void places(int32_t which, const int32_t* part) {
  const LocalTensor<float> x = at<float>(0), in_sum = at<float>(1), in_max = at<float>(2),
                           dst = at<float>(part[0]), sum = at<float>(part[1]),
                           max = at<float>(part[2]), scale = at<float>(part[3]);
  const SoftMaxTiling tiling{};
  const SoftMaxShapeInfo shape{8, 64, 8, 64};
  if (which == 10) SoftMax<float>(dst, sum, max, x, tiling, shape);
  if (which == 11) {
    SoftmaxFlashV2<float, true>(dst, sum, max, x, scale, in_sum, in_max, tiling, shape);
  }
}

template <int32_t axis>
__aicore__ inline void spread(const int32_t* shape) {
  const uint32_t dst_shape[] = {uint32_t(shape[0]), uint32_t(shape[1])};
  const uint32_t src_shape[] = {uint32_t(shape[2]), uint32_t(shape[3])};
  Broadcast<float, 2, axis>(at<float>(1), at<float>(0), dst_shape, src_shape);
}

// Rows, their elements, and those of the mask.
template <class Info>
__aicore__ inline Info masked(const int32_t* shape) {
  Info info;
  info.firstAxis = shape[0];
  info.srcLastAxis = shape[1];
  info.maskLastAxis = shape[2];
  return info;
}

template <class Mask>
__aicore__ inline void choose(const int32_t* shape) {
  Select<float, Mask, false>(at<float>(3), at<float>(0), 1.0f, at<Mask>(1), at<uint8_t>(4),
                             masked<SelectWithBytesMaskShapeInfo>(shape));
}

template <class T, bool isInitIndex, bool isHasfinish, TopKMode mode>
__aicore__ inline void top(const int32_t* shape) {
  const TopKInfo info{1, shape[0], shape[1]};
  const TopkTiling tiling{};
  TopK<T, isInitIndex, isHasfinish, false, mode>(at<T>(3), at<int32_t>(4), at<T>(0, 3),
                                                 at<int32_t>(6, 2), at<bool>(5), 1, tiling, info);
}

template <uint32_t mode>
__aicore__ inline void drop_out(const int32_t* shape) {
  DropOut<float, false, mode>(at<float>(3), at<float>(0), at<uint8_t>(1), at<uint8_t>(4), 0.5f,
                              masked<DropOutShapeInfo>(shape));
}

constexpr SoftmaxConfig kOneEach{true, 0, 0, SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};
template <const SoftmaxConfig& config>
__aicore__ inline void with_reduced_max() {
  SoftmaxFlashV2<float, true, false, false, false, config>(
      at<float>(1), at<float>(2), at<float>(3), at<float>(4), at<float>(0), at<float>(5),
      at<float>(6), at<float>(7), SoftMaxTiling{}, {8, 64, 8, 64});
}

constexpr CumSumConfig kDown{false, false, true};
constexpr NormalizeConfig kAll{}, kOnlyOutput{ReducePattern::AR, -1, false, false, true};
template <const NormalizeConfig& config>
__aicore__ inline void normalize() {
  Normalize<float, float, false, config>(at<float>(1), at<float>(2), at<float>(3), at<float>(4),
                                         at<float>(0), at<float>(5), at<float>(6), 1e-5f,
                                         {8, 8, 8});
}

extern "C" __global__ __aicore__ void limits(GM_ADDR table) {
  GlobalTensor<int32_t> lines;
  lines.SetGlobalBuffer((__gm__ int32_t*)table, 1 << 16);
  int32_t line[5];
  for (int i = 0; i < 5; ++i) line[i] = lines.GetValue(GetBlockIdx() * 5 + i);
  const int32_t which = line[0];
  const int32_t* p = line + 1;
  const SoftMaxShapeInfo shape{uint32_t(p[0]), uint32_t(p[1]), uint32_t(p[0]), uint32_t(p[1])};
  if (which < 10) p[2] == 2 ? basic_blocks<half>(which, shape) : basic_blocks<float>(which, shape);
  if (which == 10 || which == 11) places(which, p);
  if (which == 20) spread<0>(p);
  if (which == 21) spread<1>(p);
  if (which == 30) choose<uint8_t>(p);
  if (which == 31) choose<int16_t>(p);
  if (which == 32) choose<int32_t>(p);
  if (which == 40) top<half, false, false, TopKMode::TOPK_NORMAL>(p);
  if (which == 41) top<half, true, false, TopKMode::TOPK_NORMAL>(p);
  if (which == 42) top<float, false, false, TopKMode::TOPK_NORMAL>(p);
  if (which == 43) top<float, false, true, TopKMode::TOPK_NORMAL>(p);
  if (which == 44) top<float, false, false, TopKMode::TOPK_NSMALL>(p);
  if (which == 45) top<float, false, true, TopKMode::TOPK_NSMALL>(p);
  if (which == 50) with_reduced_max<kOneEach>();
  if (which == 51) with_reduced_max<SOFTMAX_DEFAULT_CFG>();
  if (which == 60) {
    CumSum<float, kDown>(at<float>(1), at<float>(2), at<float>(0),
                         CumSumInfo{uint32_t(p[0]), uint32_t(p[1])});
  }
  const uint32_t outter = uint32_t(p[0]), inner = uint32_t(p[1]), n = uint32_t(p[2]);
  if (which == 61) Sum<float>(at<float>(1), at<float>(0), SumParams{outter, inner, n});
  if (which == 62) Mean<half, float>(at<half>(1), at<half>(0), MeanParams{outter, inner, n});
  if (which == 70) normalize<kAll>();
  if (which == 71) normalize<kOnlyOutput>();
  if (which == 80) {
    AscendQuant(at<int8_t>(1), at<half>(0), at<half>(2), at<half>(3), uint32_t(p[0]),
                uint32_t(p[1]), uint32_t(p[2]));
  }
  if (which == 81) {
    AscendQuant(at<int8_t>(1), at<half>(0), at<half>(2), half(1.0f), uint32_t(p[0]),
                uint32_t(p[2]));
  }
  if (which == 100) drop_out<1>(p);
  if (which == 101) drop_out<2>(p);
  if (which == 102) drop_out<3>(p);
  if (which == 103) drop_out<4>(p);
  const DequantParams rows{uint32_t(p[0]), uint32_t(p[1]), uint32_t(p[1])};
  if (which == 90) AscendDequant<float, float>(at<float>(1), at<int32_t>(0), at<float>(2), rows);
  if (which == 91) AscendDequant<float, float>(at<float>(1), at<int32_t>(0), 0.5f, rows);
  if (which == 92) AscendDequant<bfloat16_t, float>(at<bfloat16_t>(1), at<int32_t>(0), 0.5f, rows);
}
