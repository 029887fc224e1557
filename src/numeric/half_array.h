// Arrays of binary16 to and from float, with the conversion instruction where the host has one.
#pragma once

#include <cstddef>
#include <cstdint>
#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "vinci/float_bits.h"

namespace vinci {

// NaN payloads do not survive: every NaN becomes the canonical one.
inline void floats_of_halves(const uint16_t* in, float* out, size_t count) {
  size_t i = 0;
#if defined(__F16C__)
  const __m256 nan = _mm256_set1_ps(__builtin_nanf(""));
  for (; i < count / 8 * 8; i += 8) {
    const __m256 wide = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i)));
    const __m256 unordered = _mm256_cmp_ps(wide, wide, _CMP_UNORD_Q);
    _mm256_storeu_ps(out + i, _mm256_blendv_ps(wide, nan, unordered));
  }
#endif
  for (; i < count; ++i) out[i] = float_of_half(in[i]);
}

// Rounds to nearest even; `saturate`: infinities become the largest value and NaN becomes 0.
inline void halves_of_floats(const float* in, uint16_t* out, size_t count, bool saturate) {
  constexpr float kMost = 65504.0f;
  size_t i = 0;
#if defined(__F16C__)
  const __m256 most = _mm256_set1_ps(kMost);
  const __m256 least = _mm256_set1_ps(-kMost);
  const __m256 for_nan = saturate ? _mm256_setzero_ps() : _mm256_set1_ps(__builtin_nanf(""));
  for (; i < count / 8 * 8; i += 8) {
    const __m256 value = _mm256_loadu_ps(in + i);
    const __m256 unordered = _mm256_cmp_ps(value, value, _CMP_UNORD_Q);
    __m256 kept = saturate ? _mm256_max_ps(least, _mm256_min_ps(most, value)) : value;
    kept = _mm256_blendv_ps(kept, for_nan, unordered);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i),
                     _mm256_cvtps_ph(kept, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
#endif
  for (; i < count; ++i) {
    float value = in[i];
    if (saturate) {
      value = value != value ? 0.0f : value > kMost ? kMost : value < -kMost ? -kMost : value;
    }
    out[i] = half_of_float(value);
  }
}

}  // namespace vinci
