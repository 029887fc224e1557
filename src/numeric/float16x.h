// Sixteen floats as one value: the columns of a fractal, in as many registers as the host needs.
#pragma once

#if defined(__FMA__)
#include <immintrin.h>
#endif

namespace vinci {

// fma(a, b, c) rounds once on every host.
#if defined(__AVX512F__)

struct Float16x {
  __m512 v;
  static Float16x load(const float* from) { return {_mm512_loadu_ps(from)}; }
  static Float16x broadcast(float value) { return {_mm512_set1_ps(value)}; }
  void store(float* to) const { _mm512_storeu_ps(to, v); }
  static Float16x fma(Float16x a, Float16x b, Float16x c) {
    return {_mm512_fmadd_ps(a.v, b.v, c.v)};
  }
};
// Accumulators that fit the registers beside the operands.
inline constexpr unsigned kFloat16xAccumulators = 16;

#elif defined(__FMA__)

struct Float16x {
  __m256 low, high;
  static Float16x load(const float* from) {
    return {_mm256_loadu_ps(from), _mm256_loadu_ps(from + 8)};
  }
  static Float16x broadcast(float value) { return {_mm256_set1_ps(value), _mm256_set1_ps(value)}; }
  void store(float* to) const {
    _mm256_storeu_ps(to, low);
    _mm256_storeu_ps(to + 8, high);
  }
  static Float16x fma(Float16x a, Float16x b, Float16x c) {
    return {_mm256_fmadd_ps(a.low, b.low, c.low), _mm256_fmadd_ps(a.high, b.high, c.high)};
  }
};
inline constexpr unsigned kFloat16xAccumulators = 4;

#else

struct Float16x {
  float v[16];
  static Float16x load(const float* from) {
    Float16x result;
    for (int i = 0; i < 16; ++i) result.v[i] = from[i];
    return result;
  }
  static Float16x broadcast(float value) {
    Float16x result;
    for (float& lane : result.v) lane = value;
    return result;
  }
  void store(float* to) const {
    for (int i = 0; i < 16; ++i) to[i] = v[i];
  }
  static Float16x fma(Float16x a, Float16x b, Float16x c) {
    for (int i = 0; i < 16; ++i) c.v[i] = __builtin_fmaf(a.v[i], b.v[i], c.v[i]);
    return c;
  }
};
inline constexpr unsigned kFloat16xAccumulators = 4;

#endif

}  // namespace vinci
