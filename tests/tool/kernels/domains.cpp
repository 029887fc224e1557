// Functions of 64 floats or bytes, whose first one a launch may choose.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kCount = 64;

template <class T>
struct Operands {
  LocalTensor<T> x{TPosition::VECCALC, 0, kCount}, y{TPosition::VECCALC, 1024, kCount};

  Operands(T common, T first) {
    for (uint32_t i = 0; i < kCount; ++i) x.SetValue(i, i == 0 ? first : common);
    PipeBarrier<PIPE_ALL>();
  }
};

#define ELEMENTS(Name)                                                                           \
  extern "C" __global__ __aicore__ void Name##_of(GM_ADDR, GM_ADDR, float common, float first) { \
    Operands<float> of(common, first);                                                           \
    Name(of.y, of.x, kCount);                                                                    \
  }
ELEMENTS(Sin)
ELEMENTS(Cos)
ELEMENTS(Tan)
ELEMENTS(Asin)
ELEMENTS(Acos)
ELEMENTS(Asinh)
ELEMENTS(Acosh)
ELEMENTS(Atanh)
ELEMENTS(Sinh)
ELEMENTS(Ceil)
ELEMENTS(Floor)
ELEMENTS(Trunc)
ELEMENTS(Frac)

constexpr uint32_t kShape[] = {8, 8};
extern "C" __global__ __aicore__ void ReduceAny_of(GM_ADDR, GM_ADDR, float common, float first) {
  Operands<float> of(common, first);
  ReduceAny<float, Pattern::Reduce::AR>(of.y, of.x, kShape, true);
}
extern "C" __global__ __aicore__ void ReduceAll_of(GM_ADDR, GM_ADDR, float common, float first) {
  constexpr uint32_t kBytes[] = {2, 32};
  Operands<uint8_t> of{uint8_t(common), uint8_t(first)};
  ReduceAll<uint8_t, Pattern::Reduce::AR>(of.y, of.x, kBytes, true);
}
extern "C" __global__ __aicore__ void LogSoftMax_of(GM_ADDR, GM_ADDR, float common, float first) {
  Operands<float> of(common, first);
  LocalTensor<float> sum(TPosition::VECCALC, 2048, 64), max(TPosition::VECCALC, 4096, 64);
  LogSoftMaxTiling tiling{};
  LogSoftMax<float>(of.y, sum, max, of.x, tiling, {8, 8, 8, 8});
}
// The first and the second of its sources.
extern "C" __global__ __aicore__ void Fmod_of(GM_ADDR, GM_ADDR, float common, float first) {
  Operands<float> of(common, first);
  LocalTensor<float> z(TPosition::VECCALC, 2048, kCount);
  Duplicate(z, 1.0f, kCount);
  PipeBarrier<PIPE_ALL>();
  Fmod(of.y, of.x, z, kCount);
}
extern "C" __global__ __aicore__ void FmodBy_of(GM_ADDR, GM_ADDR, float common, float first) {
  Operands<float> of(common, first);
  LocalTensor<float> z(TPosition::VECCALC, 2048, kCount);
  Duplicate(z, 1.0f, kCount);
  PipeBarrier<PIPE_ALL>();
  Fmod(of.y, z, of.x, kCount);
}

// One image of two channels and eight numbers, in two groups: x is gamma or beta.
template <bool isGamma>
__aicore__ inline void normalise(float common, float first) {
  Operands<float> of(common, first);
  LocalTensor<float> data(TPosition::VECCALC, 2048, kCount), ones(TPosition::VECCALC, 4096, kCount);
  LocalTensor<float> mean(TPosition::VECCALC, 5120, kCount), rest(TPosition::VECCALC, 6144, kCount);
  LocalTensor<uint8_t> scratch(TPosition::VECCALC, 8192, 8192);
  Duplicate(data, 2.0f, kCount);
  Duplicate(ones, 1.0f, kCount);
  PipeBarrier<PIPE_ALL>();
  GroupNormTiling tiling{};
  tiling.n = 1;
  tiling.c = tiling.g = 2;
  tiling.d = 1;
  tiling.hw = tiling.hwAlignSize = 8;
  GroupNorm(of.y, mean, rest, data, isGamma ? of.x : ones, isGamma ? ones : of.x, scratch, 1e-5f,
            tiling);
}
extern "C" __global__ __aicore__ void GroupNorm_of(GM_ADDR, GM_ADDR, float common, float first) {
  normalise<true>(common, first);
}
extern "C" __global__ __aicore__ void GroupNormBy_of(GM_ADDR, GM_ADDR, float common, float first) {
  normalise<false>(common, first);
}
