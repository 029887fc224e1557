// Sixteen floats as one value, the columns of a fractal, and the step of a dot product: one fused
// multiply-add in each, which rounds once on every host.
#pragma once

#if defined(__FMA__)
#include <immintrin.h>
#endif

namespace vinci {

#if defined(__AVX512F__)

struct Float16x {
  static constexpr unsigned kInRegisters = 16;  // sums that fit beside their operands
  __m512 v;
  static Float16x load(const float* from) { return {_mm512_loadu_ps(from)}; }
  // Every NaN becomes the canonical one.
  void store(float* to) const {
    const __mmask16 unordered = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
    _mm512_storeu_ps(to, _mm512_mask_mov_ps(v, unordered, _mm512_set1_ps(__builtin_nanf(""))));
  }
  // Adds *factor * columns[i] to lane i.
  void add_products(const float* factor, const float* columns) {
    v = _mm512_fmadd_ps(_mm512_set1_ps(*factor), _mm512_loadu_ps(columns), v);
  }
};

#elif defined(__FMA__)

struct Float16x {
  static constexpr unsigned kInRegisters = 6;
  __m256 low, high;
  static Float16x load(const float* from) {
    return {_mm256_loadu_ps(from), _mm256_loadu_ps(from + 8)};
  }
  static void store(float* to, __m256 v) {
    const __m256 unordered = _mm256_cmp_ps(v, v, _CMP_UNORD_Q);
    _mm256_storeu_ps(to, _mm256_blendv_ps(v, _mm256_set1_ps(__builtin_nanf("")), unordered));
  }
  void store(float* to) const {
    store(to, low);
    store(to + 8, high);
  }
  void add_products(const float* factor, const float* columns) {
    const __m256 all = _mm256_set1_ps(*factor);
    low = _mm256_fmadd_ps(all, _mm256_loadu_ps(columns), low);
    high = _mm256_fmadd_ps(all, _mm256_loadu_ps(columns + 8), high);
  }
};

#else

struct Float16x {
  static constexpr unsigned kInRegisters = 4;
  float v[16];
  static Float16x load(const float* from) {
    Float16x result;
    for (int i = 0; i < 16; ++i) result.v[i] = from[i];
    return result;
  }
  void store(float* to) const {
    for (int i = 0; i < 16; ++i) to[i] = v[i] != v[i] ? __builtin_nanf("") : v[i];
  }
  void add_products(const float* factor, const float* columns) {
    for (int i = 0; i < 16; ++i) v[i] = __builtin_fmaf(*factor, columns[i], v[i]);
  }
};

#endif

}  // namespace vinci
