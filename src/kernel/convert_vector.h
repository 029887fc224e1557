// Vectors for conversions, on hosts with AVX2 and F16C: beside floats.h, the operations that
// compilers do not find by themselves. Operators and comparisons are the compiler's; the latter
// give -1 where they hold.
//
// Vectors have 256 bits on AVX-512 as well: longer ones make no loop faster whose arrays are beyond
// the first cache.
#pragma once

#if defined(__AVX2__) && defined(__F16C__)
#define VINCI_CONVERT_VECTORS 1
#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "kernel/floats.h"
#include "numeric/round.h"

namespace vinci {

using Ints [[gnu::vector_size(32)]] = int32_t;
using Words [[gnu::vector_size(32)]] = uint32_t;
using Shorts [[gnu::vector_size(32)]] = int16_t;
using Doubles [[gnu::vector_size(32)]] = double;
using Longs [[gnu::vector_size(32)]] = int64_t;
using Longwords [[gnu::vector_size(32)]] = uint64_t;

// ---- Memory ----

template <class Vector>
Vector load(const void* from) {
  Vector result;
  std::memcpy(&result, from, sizeof(result));
  return result;
}
template <class Vector>
void store(const Vector& vector, void* to) {
  std::memcpy(to, &vector, sizeof(vector));
}

inline Ints load_ints(const uint16_t* from) {
  return Ints(_mm256_cvtepu16_epi32(load<__m128i>(from)));
}
inline Ints load_ints(const int16_t* from) {
  return Ints(_mm256_cvtepi16_epi32(load<__m128i>(from)));
}
inline Ints load_ints(const int8_t* from) {
  return Ints(_mm256_cvtepi8_epi32(_mm_cvtsi64_si128(load<int64_t>(from))));
}
inline Ints load_ints(const uint8_t* from) {
  return Ints(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(load<int64_t>(from))));
}

// ---- Floats ----

inline Floats masked(Floats x, Ints mask) { return Floats(Ints(x) & mask); }
// The limit if x is NaN.
inline Floats at_most(Floats x, float limit) { return smaller(x, all_of(limit)); }
inline Floats at_least(Floats x, float limit) { return larger(x, all_of(limit)); }

// What the host's instructions call a mode; they have those four.
template <Round mode>
inline constexpr int kHostMode = _MM_FROUND_NO_EXC |
                                 (mode == Round::kFloor   ? _MM_FROUND_TO_NEG_INF
                                  : mode == Round::kCeil  ? _MM_FROUND_TO_POS_INF
                                  : mode == Round::kTrunc ? _MM_FROUND_TO_ZERO
                                                          : _MM_FROUND_TO_NEAREST_INT);
template <Round mode>
inline constexpr bool kHostHas = !(mode == Round::kRound || mode == Round::kOdd);

template <Round mode>
Floats to_integer_by_host(Floats x) {
  static_assert(kHostHas<mode>);
  return _mm256_round_ps(x, kHostMode<mode>);
}
// Eight halves. NaN keeps its sign and payload.
template <Round mode>
__m128i to_half_by_host(Floats x) {
  static_assert(kHostHas<mode>);
  return _mm256_cvtps_ph(x, kHostMode<mode>);
}

// Out of range and NaN: INT32_MIN.
inline Ints nearest_ints(Floats x) { return Ints(_mm256_cvtps_epi32(x)); }
inline Ints truncated_ints(Floats x) { return Ints(_mm256_cvttps_epi32(x)); }
inline Floats nearest_floats(Ints x) { return _mm256_cvtepi32_ps(__m256i(x)); }

inline Shorts joined(__m128i low, __m128i high) { return Shorts(_mm256_set_m128i(high, low)); }

// Whether the magnitude of any, as a pattern, is above the limit.
inline bool any_above(Shorts x, Shorts y, int16_t limit) {
  const __m256i larger = _mm256_max_epi16(__m256i(x & INT16_MAX), __m256i(y & INT16_MAX));
  return _mm256_movemask_epi8(__m256i(Shorts(larger) > limit)) != 0;
}
inline bool any_above(Ints x, Ints y, int32_t limit) {
  const __m256i larger = _mm256_max_epi32(__m256i(x & INT32_MAX), __m256i(y & INT32_MAX));
  return _mm256_movemask_epi8(__m256i(Ints(larger) > limit)) != 0;
}

// ---- 32 bits to and from 64: `part` is 0 or 1, the lower four or the upper ----

template <int part>
__m128i quarter(Ints x) {
  return _mm256_extracti128_si256(__m256i(x), part);
}
template <int part>
Longs longs_of(Ints x) {
  return Longs(_mm256_cvtepi32_epi64(quarter<part>(x)));
}
// To nearest.
inline Floats floats_of(Doubles low, Doubles high) {
  return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
}
// Eight numbers of 64 bits from their lower and their upper halves.
inline void store_joined(Ints low, Ints high, int64_t* to) {
  const __m256i even = _mm256_unpacklo_epi32(__m256i(low), __m256i(high));  // 0, 1, 4, 5
  const __m256i odd = _mm256_unpackhi_epi32(__m256i(low), __m256i(high));   // 2, 3, 6, 7
  store(_mm256_permute2x128_si256(even, odd, 0x20), to);
  store(_mm256_permute2x128_si256(even, odd, 0x31), to + 4);
}

// ---- 32 bits to 16, and 16 to 8 ----

// A pack goes by halves of 128 bits: what comes out is interleaved in quarters.
inline Shorts in_order(__m256i packed) { return Shorts(_mm256_permute4x64_epi64(packed, 0xD8)); }
inline Shorts saturated(Ints low, Ints high) {
  return in_order(_mm256_packs_epi32(__m256i(low), __m256i(high)));
}
inline Shorts saturated_unsigned(Ints low, Ints high) {
  return in_order(_mm256_packus_epi32(__m256i(low), __m256i(high)));
}
inline Shorts wrapped(Ints low, Ints high) {
  return saturated_unsigned(low & 0xFFFF, high & 0xFFFF);
}

using Bytes [[gnu::vector_size(32)]] = int8_t;
inline Bytes saturated(Shorts low, Shorts high) {
  return Bytes(in_order(_mm256_packs_epi16(__m256i(low), __m256i(high))));
}
inline Bytes saturated_unsigned(Shorts low, Shorts high) {
  return Bytes(in_order(_mm256_packus_epi16(__m256i(low), __m256i(high))));
}
inline Bytes wrapped(Shorts low, Shorts high) {
  return saturated_unsigned(low & 0xFF, high & 0xFF);
}

// Two packs one after the other interleave in eighths.
struct Ints32 {
  Ints part[4];
};
inline Bytes in_order_again(__m256i packed) {
  return Bytes(_mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
}
inline __m256i packed_to_shorts(Ints low, Ints high) {
  return _mm256_packs_epi32(__m256i(low), __m256i(high));
}
inline Bytes saturated(const Ints32& x) {
  return in_order_again(_mm256_packs_epi16(packed_to_shorts(x.part[0], x.part[1]),
                                           packed_to_shorts(x.part[2], x.part[3])));
}
inline Bytes saturated_unsigned(const Ints32& x) {
  return in_order_again(_mm256_packus_epi16(packed_to_shorts(x.part[0], x.part[1]),
                                            packed_to_shorts(x.part[2], x.part[3])));
}
inline Bytes wrapped(const Ints32& x) {
  return saturated_unsigned(
      Ints32{x.part[0] & 0xFF, x.part[1] & 0xFF, x.part[2] & 0xFF, x.part[3] & 0xFF});
}

// Nibbles in as many bytes, and two to a byte, the first in the low bits.
inline __m128i joined_nibbles(Bytes nibbles) {
  const __m256i pairs = _mm256_maddubs_epi16(__m256i(nibbles & 15), _mm256_set1_epi16(0x1001));
  return _mm256_castsi256_si128(__m256i(in_order(_mm256_packus_epi16(pairs, pairs))));
}
inline __m128i parted_nibbles(__m128i joined) {
  const __m128i low = _mm_and_si128(joined, _mm_set1_epi8(15));
  const __m128i high = _mm_and_si128(_mm_srli_epi16(joined, 4), _mm_set1_epi8(15));
  return _mm_unpacklo_epi8(low, high);
}

}  // namespace vinci

#endif
