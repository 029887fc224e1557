// Eight floats as one value. + - * / and comparisons work on it as on one float. All functions are
// inlined: how vectors are passed differs between the levels of a host.
#pragma once

#include <cstdint>
#include <cstring>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "vinci/float_bits.h"

namespace vinci {

// Also where the host has vectors of 16: they cross cache lines where these do not, and in
// conversions they are no faster.
inline constexpr unsigned kFloatsAtOnce = 8;
using Floats [[gnu::vector_size(4 * kFloatsAtOnce)]] = float;
using FloatsBits [[gnu::vector_size(4 * kFloatsAtOnce)]] = int32_t;  // comparisons give -1 or 0

[[gnu::always_inline]] inline FloatsBits bits_of(Floats x) {
  return reinterpret_cast<FloatsBits>(x);
}
[[gnu::always_inline]] inline Floats floats_of(FloatsBits x) { return reinterpret_cast<Floats>(x); }

// Each of them x: less 0, that is, which keeps -0.
[[gnu::always_inline]] inline Floats all_of(float x) { return x - Floats{}; }

// yes where the condition holds, else no.
[[gnu::always_inline]] inline Floats select(FloatsBits condition, Floats yes, Floats no) {
  return condition ? yes : no;
}

// a < b ? a : b and a > b ? a : b: b if they are equal or one is NaN.
[[gnu::always_inline]] inline Floats smaller(Floats a, Floats b) {
#if defined(__AVX__)
  return Floats(_mm256_min_ps(__m256(a), __m256(b)));
#else
  return select(a < b, a, b);
#endif
}
[[gnu::always_inline]] inline Floats larger(Floats a, Floats b) {
#if defined(__AVX__)
  return Floats(_mm256_max_ps(__m256(a), __m256(b)));
#else
  return select(a > b, a, b);
#endif
}

// The bits that both have, or that either has.
[[gnu::always_inline]] inline Floats and_bits(Floats a, Floats b) {
  return floats_of(bits_of(a) & bits_of(b));
}
[[gnu::always_inline]] inline Floats or_bits(Floats a, Floats b) {
  return floats_of(bits_of(a) | bits_of(b));
}

// Whether the sign bit is set.
[[gnu::always_inline]] inline FloatsBits has_sign(Floats x) { return bits_of(x) < 0; }

// x, or `instead` where it is NaN.
[[gnu::always_inline]] inline Floats without_nan(Floats x, float instead) {
  return select(x != x, all_of(instead), x);
}

// All ones where a or b is NaN, else 0.
[[gnu::always_inline]] inline Floats nan_of(Floats a, Floats b) {
#if defined(__AVX__)
  return Floats(_mm256_cmp_ps(__m256(a), __m256(b), _CMP_UNORD_Q));
#else
  return floats_of((a != a) | (b != b));
#endif
}

// x, or NaN where a or b is NaN.
[[gnu::always_inline]] inline Floats nan_with(Floats a, Floats b, Floats x) {
  return or_bits(x, nan_of(a, b));
}

// Whether nan_of found any.
[[gnu::always_inline]] inline bool any(Floats found) {
#if defined(__AVX__)
  return _mm256_movemask_ps(__m256(found)) != 0;
#else
  int32_t bits = 0;
  for (unsigned i = 0; i < kFloatsAtOnce; ++i) bits |= bits_of(found)[i];
  return bits != 0;
#endif
}

// sum + a * b: stays NaN once a or b was NaN; some infinities make it NaN too.
[[gnu::always_inline]] inline Floats sum_with_nan(Floats sum, Floats a, Floats b) {
#if defined(__FMA__)
  return Floats(_mm256_fmadd_ps(__m256(a), __m256(b), __m256(sum)));
#else
  return sum + a * b;
#endif
}

// The signs, that of lane i in bit i: where a comparison holds.
[[gnu::always_inline]] inline unsigned sign_bits(FloatsBits x) {
#if defined(__AVX__)
  return unsigned(_mm256_movemask_ps(__m256(floats_of(x))));
#else
  unsigned bits = 0;
  for (unsigned i = 0; i < kFloatsAtOnce; ++i) bits |= unsigned(x[i] < 0) << i;
  return bits;
#endif
}

// What results of type half become before they are rounded: `saturate` keeps them in its range. NaN
// stays; kNanOfHalf is for it.
template <bool saturate>
[[gnu::always_inline]] inline Floats in_half_range(Floats x) {
  constexpr float kMost = 65504.0f;
  return saturate ? larger(all_of(-kMost), smaller(all_of(kMost), x)) : x;
}
template <bool saturate>
inline constexpr float kNanOfHalf = saturate ? 0.0f : __builtin_nanf("");

[[gnu::always_inline]] inline Floats load_floats(const float* from) {
  Floats x;
  std::memcpy(&x, from, sizeof(x));
  return x;
}
[[gnu::always_inline]] inline void store_floats(Floats x, float* to) {
  std::memcpy(to, &x, sizeof(x));
}

// Exact; payloads of NaN may change.
[[gnu::always_inline]] inline Floats load_halves(const uint16_t* from) {
#if defined(__F16C__)
  return Floats(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#else
  Floats x{};
  for (unsigned i = 0; i < kFloatsAtOnce; ++i) x[i] = float_of_half(from[i]);
  return x;
#endif
}

// Rounds to nearest even. Of NaN the canonical one stays as it is.
[[gnu::always_inline]] inline void store_halves(Floats x, uint16_t* to) {
#if defined(__F16C__)
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                   _mm256_cvtps_ph(__m256(x), _MM_FROUND_TO_NEAREST_INT));
#else
  for (unsigned i = 0; i < kFloatsAtOnce; ++i) to[i] = half_of_float(x[i]);
#endif
}

}  // namespace vinci
