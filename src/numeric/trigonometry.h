// sin and cos of one float: correctly rounded, to nearest even.
//
// In integers, so with the same bits on every host. The angle is brought into an eighth of a turn
// with as many digits of 1 / 2 pi as a float of any size needs: 192 bits behind those that are
// whole turns. The series are summed with 64 bits, and what comes out is off by less than 2^-60 of
// itself. That is rounded once more, to float; no float has a sine or cosine that close to the
// middle of two floats (tests/exhaustive/elementary.cpp tries them all).
#pragma once

#include <bit>
#include <cstdint>

#include "vinci/float_bits.h"

namespace vinci {
namespace trigonometry {

__extension__ using Wide = unsigned __int128;

inline uint64_t high_product(uint64_t a, uint64_t b) { return uint64_t(Wide(a) * b >> 64); }

// The turns of m * 2^e, less whole ones, in units of 2^-128; m < 2^24 and -64 <= e <= 104.
inline Wide fraction_of_turn(uint64_t m, int e) {
  // 1 / 2 pi, behind 64 zeros for angles with digits behind the point.
  static constexpr uint64_t kTurns[] = {0,
                                        0x28be60db9391054a,
                                        0x7f09d5f47d4d3770,
                                        0x36d8a5664f10e410,
                                        0x7f9458eaf7aef158,
                                        0x6dc91b8e909374b8,
                                        0x01924bba82746487};
  const unsigned skipped = unsigned(64 + e);
  const unsigned word = skipped / 64, bit = skipped % 64;
  uint64_t part[3];
  for (unsigned i = 0; i < 3; ++i) {
    part[i] = kTurns[word + i] << bit;
    if (bit != 0) part[i] |= kTurns[word + i + 1] >> (64 - bit);
  }
  // The product's digits before the point are dropped, and so are the last 64.
  const Wide low = Wide(part[1]) * m + high_product(part[2], m);
  return low + (Wide(part[0] * m) << 64);
}

// 1 - sum, where sum = u * (terms[0] - u * (terms[1] - ...)) in units of 2^-64; gives the sum.
template <unsigned count>
uint64_t series(const uint64_t (&terms)[count], uint64_t u) {
  uint64_t sum = 0;
  for (unsigned i = count; i-- > 0;) sum = high_product(u, terms[i] - sum);
  return sum;
}

// digits * 2^(exponent - 64) with its sign as a float; digits != 0, a normal number. `odd`: instead
// of to nearest, so that a later rounding to half comes out as one rounding would.
inline float assembled(bool negative, uint64_t digits, int exponent, bool odd) {
  const int zeros = std::countl_zero(digits);
  digits <<= zeros;
  const uint64_t rest = digits & ((uint64_t{1} << 40) - 1);
  uint64_t kept = digits >> 40;  // 24 bits
  if (odd) {
    kept |= rest != 0;
  } else if (rest > uint64_t{1} << 39 || (rest == uint64_t{1} << 39 && (kept & 1) != 0)) {
    ++kept;
  }
  // The leading digit counts as one exponent, and so does a carry into a 25th bit.
  const uint64_t bits = (uint64_t(exponent - zeros + 125) << 23) + kept;
  return float_of_bits(uint32_t(bits) | uint32_t(negative) << 31);
}

// The sine of x plus so many quarter turns. 2^-12 <= |x| < infinity.
inline float sine_of(float x, unsigned quarters, bool odd) {
  // 1 / (2n + 1)! and 1 / (2n)!, n = 1, 2, ...
  static constexpr uint64_t kSine[] = {0x2aaaaaaaaaaaaaab, 0x0222222222222222, 0x000d00d00d00d00d,
                                       0x00002e3bc74aad8e, 0x0000006b99159fd5, 0x00000000b092309d,
                                       0x0000000000d73f9f, 0x000000000000ca96, 0x0000000000000098};
  static constexpr uint64_t kCosine[] = {0x8000000000000000, 0x0aaaaaaaaaaaaaab, 0x005b05b05b05b05b,
                                         0x0001a01a01a01a02, 0x0000049f93edde28, 0x00000008f76c77fc,
                                         0x000000000c9cba54, 0x00000000000d73fa, 0x0000000000000b41,
                                         0x0000000000000008};
  constexpr uint64_t kQuarterOfPi = 0xc90fdaa22168c235;
  const uint32_t bits = bits_of_float(x);
  const bool is_cosine = quarters != 0;
  const Wide turn = fraction_of_turn((bits & 0x7FFFFF) | 0x800000, int(bits >> 23 & 0xFF) - 150);
  // sin(-x) = -sin x, cos(-x) = cos x.
  bool negative = (bits >> 31) != 0 && !is_cosine;
  quarters += unsigned(turn >> 126);
  Wide rest = turn << 2;  // of a quarter turn
  // From the nearer end of the quarter: sin(pi/2 - a) = cos a.
  bool series_of_cosine = (quarters & 1) != 0;
  negative ^= (quarters & 2) != 0;
  if (rest >> 127 != 0) {
    rest = 0 - rest;
    series_of_cosine = !series_of_cosine;
  }
  // rest = part * 2^-zeros; the angle is part * pi/4 * 2^(1 - zeros).
  const auto high = uint64_t(rest >> 64);
  const int zeros = high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(uint64_t(rest));
  const auto part = uint64_t(rest << zeros >> 64);
  const uint64_t angle = high_product(part, kQuarterOfPi);
  const uint64_t whole = zeros > 64 ? 0 : angle >> (zeros - 1);
  const uint64_t square = high_product(whole, whole);
  if (series_of_cosine) {
    const uint64_t sum = series(kCosine, square);
    if (sum == 0) return negative ? -1.0f : 1.0f;
    return assembled(negative, 0 - sum, 0, odd);
  }
  return assembled(negative, angle - high_product(angle, series(kSine, square)), 1 - zeros, odd);
}

// Nearer to 0, sin x rounds to x and cos x to 1, as floats and as halves.
constexpr float kLeast = 0x1p-12f;

template <bool odd>
float sin_rounded(float x) {
  if (!(x < __builtin_inff() && x > -__builtin_inff())) return float_of_bits(kFloatNan);
  return x < kLeast && x > -kLeast ? x : sine_of(x, 0, odd);
}

template <bool odd>
float cos_rounded(float x) {
  if (!(x < __builtin_inff() && x > -__builtin_inff())) return float_of_bits(kFloatNan);
  return x < kLeast && x > -kLeast ? 1.0f : sine_of(x, 1, odd);
}

}  // namespace trigonometry

// sin(+-0) = +-0, cos 0 = 1, NaN of infinities.
inline float sin_of(float x) { return trigonometry::sin_rounded<false>(x); }
inline float cos_of(float x) { return trigonometry::cos_rounded<false>(x); }

// Of a half: what halves_of_floats makes of these is the nearest half.
inline float sin_of_half(float x) { return trigonometry::sin_rounded<true>(x); }
inline float cos_of_half(float x) { return trigonometry::cos_rounded<true>(x); }

}  // namespace vinci
