// LayerNorm and its kin. Everything lies in UB one after the other, 16 KB apart: three matrices,
// two rows, two columns, results.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kApart = 16384;

template <class T>
__aicore__ LocalTensor<T> at(uint32_t place) {
  return LocalTensor<T>(TPosition::VECCALC, place * kApart, kApart / sizeof(T));
}
__aicore__ GlobalTensor<uint8_t> global(GM_ADDR gm) {
  GlobalTensor<uint8_t> tensor;
  tensor.SetGlobalBuffer((__gm__ uint8_t*)gm);
  return tensor;
}

// x: matrices at 0 and 1 and, from half of each place on, columns (mean and variance), rows (gamma
// and beta); a: three results.
#define PARAMETERS                                                                         \
  GM_ADDR x, GM_ADDR y, GM_ADDR gamma, GM_ADDR beta, GM_ADDR before, GM_ADDR a, GM_ADDR b, \
      GM_ADDR c, uint32_t kind, uint32_t rows, uint32_t columns, uint32_t counted, float epsilon

struct Case {
  uint32_t kind, rows, columns, counted;
  float epsilon;
};

template <class T>
__aicore__ void of_rows(const Case& call) {
  const LocalTensor<T> x = at<T>(0), y = at<T>(1), gamma = at<T>(2), beta = at<T>(3);
  const LocalTensor<T> dst = at<T>(4), mean = at<T>(5), variance = at<T>(6);
  const LocalTensor<uint8_t> scratch = at<uint8_t>(7);
  const auto shape = [&](auto tiling) {
    tiling.bLength = 1;
    tiling.sLength = call.rows;
    tiling.hLength = call.columns;
    tiling.originalHLength = call.counted;
    return tiling;
  };
  const T epsilon = T(call.epsilon);
  if (call.kind == 0) {
    LayerNorm(dst, mean, variance, x, gamma, beta, scratch, epsilon, shape(LayerNormTiling{}));
  }
  if (call.kind == 1) {
    LayerNorm<T, true>(x, mean, variance, x, gamma, beta, epsilon, shape(LayerNormTiling{}));
  }
  if (call.kind == 2) RmsNorm(dst, x, gamma, scratch, epsilon, shape(RmsNormTiling{}));
  if (call.kind == 3) {
    DeepNorm(dst, mean, variance, x, y, beta, gamma, scratch, T(-2.5f), epsilon,
             shape(DeepNormTiling{}));
  }
  if (call.kind == 4) {
    BatchNormTiling tiling;
    tiling.originalBLength = call.rows;
    tiling.meanVarSize = call.columns;
    BatchNorm(dst, mean, variance, x, gamma, beta, scratch, epsilon, tiling);
  }
  if (call.kind == 5) {  // two images of `counted` channels, two groups
    GroupNormTiling tiling;
    tiling.n = 2;
    tiling.c = call.counted;
    tiling.hw = call.rows;
    tiling.hwAlignSize = call.columns;
    tiling.g = 2;
    tiling.d = call.counted / 2;
    GroupNorm(dst, mean, variance, x, gamma, beta, scratch, epsilon, tiling);
  }
  if (call.kind == 6) {  // variances and means lie where beta does
    LocalTensor<uint8_t> room = scratch;
    LayerNormGrad(dst, mean, x, y, beta, beta[kApart / 2 / sizeof(T)], gamma, room, epsilon,
                  shape(LayerNormGradTiling{}));
  }
  if (call.kind == 7) {
    LayerNormGradBeta(dst, mean, x, y, scratch, shape(LayerNormGradBetaTiling{}));
  }
  const LayerNormPara para{call.rows, call.counted, call.columns};
  const LocalTensor<float> means = at<float>(5), roots = at<float>(6);
  if (call.kind == 8) {
    LayerNorm(dst, means, roots, x, gamma, beta, call.epsilon, scratch, para,
              LayerNormSeparateTiling{});
  }
  if (call.kind == 9) {
    LayerNorm<float, T>(dst, means, roots, x, at<float>(2), at<float>(3), call.epsilon, para,
                        LayerNormSeparateTiling{});
  }
  if (call.kind == 10) {
    LayerNorm<T, T, false, LNCFG_NOOPT>(dst, means, roots, x, gamma, beta, call.epsilon, para,
                                        LayerNormSeparateTiling{});
  }
  if (call.kind == 11) {  // means and variances lie where y does
    Normalize<T, T, false, NLCFG_NOBETA>(dst, roots, at<float>(1), at<float>(1)[kApart / 8], x,
                                         gamma, beta, scratch, call.epsilon,
                                         NormalizePara{call.rows, call.counted, call.columns});
  }
  if (call.kind == 12)
    LayerNorm(dst, mean, variance, x, gamma, beta, scratch[kApart - 32], epsilon,
              shape(LayerNormTiling{}));
  if (call.kind == 13) LayerNorm(dst, mean, x, x, gamma, beta, epsilon, shape(LayerNormTiling{}));
  if (call.kind == 14) {
    DeepNorm(x, mean, variance, x, y, beta, gamma, T(1.0f), epsilon, shape(DeepNormTiling{}));
  }
  if (call.kind == 15) {
    RmsNorm<T, true>(dst, x, gamma, scratch, epsilon, shape(RmsNormTiling{}));
  }
}

#define KERNEL(name, T)                                           \
  extern "C" __global__ __aicore__ void name(PARAMETERS) {        \
    GM_ADDR from[] = {x, y, gamma, beta, before, before, before}; \
    for (uint32_t place = 0; place < 7; ++place) {                \
      DataCopy(at<uint8_t>(place), global(from[place]), kApart);  \
    }                                                             \
    PipeBarrier<PIPE_ALL>();                                      \
    of_rows<T>({kind, rows, columns, counted, epsilon});          \
    PipeBarrier<PIPE_ALL>();                                      \
    DataCopy(global(a), at<uint8_t>(kind == 1 ? 0 : 4), kApart);  \
    DataCopy(global(b), at<uint8_t>(5), kApart);                  \
    DataCopy(global(c), at<uint8_t>(6), kApart);                  \
  }
KERNEL(norms, float)
KERNEL(norms_half, half)

// Welford: x, means, variances, counts.
extern "C" __global__ __aicore__ void welford(PARAMETERS) {
  GM_ADDR from[] = {x, y, gamma, beta, before, before};
  for (uint32_t place = 0; place < 6; ++place) {
    DataCopy(at<uint8_t>(place), global(from[place]), kApart);
  }
  PipeBarrier<PIPE_ALL>();
  const LocalTensor<float> mean = at<float>(1), variance = at<float>(2), a_mean = at<float>(4),
                           a_variance = at<float>(5);
  const LocalTensor<uint8_t> scratch = at<uint8_t>(7);
  static constexpr WelfordUpdateConfig kInPlace{true};
  const WelfordUpdateParam update{1, columns, counted, epsilon};
  if (kind == 0) {
    WelfordUpdate<float, float>(a_mean, a_variance, mean, variance, at<float>(0), scratch, update);
  }
  if (kind == 1) {
    WelfordUpdate<half, float, false, kInPlace>(a_mean, a_variance, mean, variance, at<half>(0),
                                                update);
  }
  WelfordFinalizePara whole{rows, columns, 0, columns, 0, 0, 1.0f / columns, epsilon};
  WelfordFinalizePara parts{rows,     columns,           rows,           counted,
                            rows - 1, columns - counted, 1.0f / columns, epsilon};
  if (kind == 2) WelfordFinalize(a_mean, a_variance, mean, variance, scratch, whole);
  if (kind == 3) WelfordFinalize(a_mean, a_variance, mean, variance, parts);
  if (kind == 4)
    WelfordFinalize(a_mean, a_variance, mean, variance, at<int32_t>(3), scratch, whole);
  if (kind == 5) {
    whole.tailCountLength = 8;
    WelfordFinalize(a_mean, a_variance, mean, variance, whole);
  }
  PipeBarrier<PIPE_ALL>();
  DataCopy(global(a), at<uint8_t>(4), kApart);
  DataCopy(global(b), at<uint8_t>(5), kApart);
  DataCopy(global(c), at<uint8_t>(5), kApart);
}
