// Eight floats, or as many as the host's widest registers hold, as one value. + - * / and
// comparisons work on it as on one float. All functions are inlined: how vectors are passed differs
// between the levels of a host.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "vinci/float_bits.h"

namespace vinci {

// Of floats also where the host has vectors of 16: they cross cache lines where these do not.
inline constexpr unsigned kFloatsAtOnce = 8;
using Floats [[gnu::vector_size(4 * kFloatsAtOnce)]] = float;
using FloatsBits [[gnu::vector_size(4 * kFloatsAtOnce)]] = int32_t;  // comparisons give -1 or 0

// What halves become, which take half the room.
#if defined(__AVX512F__)
using WideFloats [[gnu::vector_size(64)]] = float;
#else
using WideFloats = Floats;
#endif

template <class F>
concept FloatVector = std::same_as<F, Floats> || std::same_as<F, WideFloats>;
template <FloatVector F>
inline constexpr unsigned kFloatsIn = sizeof(F) / sizeof(float);
template <FloatVector F>
using BitsOf = decltype(F{} == F{});

template <FloatVector F>
[[gnu::always_inline]] inline BitsOf<F> bits_of(F x) {
  return reinterpret_cast<BitsOf<F>>(x);
}
template <FloatVector F = Floats>
[[gnu::always_inline]] inline F floats_of(BitsOf<F> x) {
  return reinterpret_cast<F>(x);
}

// Each of them x: less 0, that is, which keeps -0.
template <FloatVector F = Floats>
[[gnu::always_inline]] inline F all_of(float x) {
  return x - F{};
}

// yes where the condition holds, else no.
template <FloatVector F>
[[gnu::always_inline]] inline F select(BitsOf<F> condition, F yes, F no) {
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
template <FloatVector F>
[[gnu::always_inline]] inline F and_bits(F a, F b) {
  return floats_of<F>(bits_of(a) & bits_of(b));
}
template <FloatVector F>
[[gnu::always_inline]] inline F or_bits(F a, F b) {
  return floats_of<F>(bits_of(a) | bits_of(b));
}

// Whether the sign bit is set.
template <FloatVector F>
[[gnu::always_inline]] inline BitsOf<F> has_sign(F x) {
  return bits_of(x) < 0;
}

// x, or `instead` where it is NaN.
template <FloatVector F>
[[gnu::always_inline]] inline F without_nan(F x, float instead) {
  return select(x != x, all_of<F>(instead), x);
}

// All ones where a or b is NaN, else 0.
[[gnu::always_inline]] inline Floats nan_of(Floats a, Floats b) {
#if defined(__AVX__)
  return Floats(_mm256_cmp_ps(__m256(a), __m256(b), _CMP_UNORD_Q));
#else
  return floats_of((a != a) | (b != b));
#endif
}

// Whether one of a or b is NaN.
[[gnu::always_inline]] inline bool any_nan(Floats a, Floats b) {
#if defined(__AVX__)
  return _mm256_movemask_ps(__m256(nan_of(a, b))) != 0;
#else
  int32_t bits = 0;
  for (unsigned i = 0; i < kFloatsAtOnce; ++i) bits |= bits_of(nan_of(a, b))[i];
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

#if defined(__AVX512F__)
[[gnu::always_inline]] inline WideFloats smaller(WideFloats a, WideFloats b) {
  return WideFloats(_mm512_maskz_min_ps(0xFFFF, __m512(a), __m512(b)));
}
[[gnu::always_inline]] inline WideFloats larger(WideFloats a, WideFloats b) {
  return WideFloats(_mm512_maskz_max_ps(0xFFFF, __m512(a), __m512(b)));
}
[[gnu::always_inline]] inline WideFloats nan_of(WideFloats a, WideFloats b) {
  const __mmask16 found = _mm512_cmp_ps_mask(__m512(a), __m512(b), _CMP_UNORD_Q);
  return WideFloats(_mm512_castsi512_ps(_mm512_maskz_set1_epi32(found, -1)));
}
[[gnu::always_inline]] inline bool any_nan(WideFloats a, WideFloats b) {
  return _mm512_cmp_ps_mask(__m512(a), __m512(b), _CMP_UNORD_Q) != 0;
}
[[gnu::always_inline]] inline WideFloats sum_with_nan(WideFloats sum, WideFloats a, WideFloats b) {
  return WideFloats(_mm512_fmadd_ps(__m512(a), __m512(b), __m512(sum)));
}
#endif

// x, or NaN where a or b is NaN.
template <FloatVector F>
[[gnu::always_inline]] inline F nan_with(F a, F b, F x) {
  return or_bits(x, nan_of(a, b));
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
template <bool saturate, FloatVector F>
[[gnu::always_inline]] inline F in_half_range(F x) {
  constexpr float kMost = 65504.0f;
  return saturate ? larger(all_of<F>(-kMost), smaller(all_of<F>(kMost), x)) : x;
}
template <bool saturate>
inline constexpr float kNanOfHalf = saturate ? 0.0f : __builtin_nanf("");

template <FloatVector F = Floats>
[[gnu::always_inline]] inline F load_floats(const float* from) {
  F x;
  std::memcpy(&x, from, sizeof(x));
  return x;
}
template <FloatVector F>
[[gnu::always_inline]] inline void store_floats(F x, float* to) {
  std::memcpy(to, &x, sizeof(x));
}

// The numbers of two vectors, one behind the other: those with even indices, and those with odd
// ones.
[[gnu::always_inline]] inline Floats evens_of(Floats low, Floats high) {
  return __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
}
[[gnu::always_inline]] inline Floats odds_of(Floats low, Floats high) {
  return __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
}
#if defined(__AVX512F__)
[[gnu::always_inline]] inline WideFloats evens_of(WideFloats low, WideFloats high) {
  return __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28,
                                 30);
}
[[gnu::always_inline]] inline WideFloats odds_of(WideFloats low, WideFloats high) {
  return __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29,
                                 31);
}
#endif

// Exact; payloads of NaN may change.
template <FloatVector F = Floats>
[[gnu::always_inline]] inline F load_halves(const uint16_t* from);
template <>
[[gnu::always_inline]] inline Floats load_halves<Floats>(const uint16_t* from) {
#if defined(__F16C__)
  return Floats(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#else
  Floats x{};
  for (unsigned i = 0; i < kFloatsAtOnce; ++i) x[i] = float_of_half(from[i]);
  return x;
#endif
}

#if defined(__AVX512F__)
template <>
[[gnu::always_inline]] inline WideFloats load_halves<WideFloats>(const uint16_t* from) {
  return WideFloats(
      _mm512_maskz_cvtph_ps(0xFFFF, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
}
#endif

// Rounds to nearest even. Of NaN the canonical one stays as it is.
[[gnu::always_inline]] inline void store_halves(Floats x, uint16_t* to) {
#if defined(__F16C__)
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                   _mm256_cvtps_ph(__m256(x), _MM_FROUND_TO_NEAREST_INT));
#else
  for (unsigned i = 0; i < kFloatsAtOnce; ++i) to[i] = half_of_float(x[i]);
#endif
}
#if defined(__AVX512F__)
// One instruction converts and stores; the compilers make two of the intrinsics, a sixth slower.
[[gnu::always_inline]] inline void store_halves(WideFloats x, uint16_t* to) {
  asm("vcvtps2ph $0, %1, %0" : "=m"(*reinterpret_cast<__m256i_u*>(to)) : "v"(x));
}
#endif

}  // namespace vinci
