// exp, ln, sqrt, 1/sqrt and 1/x of one float: correctly rounded, to nearest even. So is a / b,
// which needs nothing from here. Of halves there is e^x - 1 too.
//
// Computed without branches in IEEE 754's operations, so that a loop of them (VINCI_LANE_LOOP)
// becomes vector code, with the same bits on every host. Subnormals are kept. A NaN result has any
// sign and payload.
//
// exp and ln evaluate a polynomial in double, whose error is below 2^-50 of the result, and round
// once more, to float. The few floats whose exact result lies that close to the middle of two
// floats come out right as well: tests/exhaustive/elementary.cpp compares all 2^32. Whoever changes
// a constant or the order of a sum runs it again. The coefficients are minimax (Remez exchange in
// 200 digits) for the relative error of the result.
//
// The forms for half take and give the value of a half as a float, which halves_of_floats rounds.
// In float they are several times as fast. sqrt_of, rsqrt_of, reciprocal_of and a / b serve half as
// they are: two roundings, to 24 digits and to 11, end where one would. Those of exp and ln would
// not, at three halves.
#pragma once

#include <cstdint>

#include "vinci/float_bits.h"

namespace vinci {

constexpr uint64_t bits_of_double(double value) { return __builtin_bit_cast(uint64_t, value); }
constexpr double double_of_bits(uint64_t bits) { return __builtin_bit_cast(double, bits); }

// All ones or 0, to choose between values without a branch.
constexpr uint32_t mask_if(bool condition) { return 0 - uint32_t(condition); }

// a * b + c, rounded once on hosts that do that in one instruction. So its last digit is not the
// same everywhere: only for what is rounded to fewer digits, and proven with both.
constexpr double about_multiply_add(double a, double b, double c) {
#if defined(__FMA__)
  if (!__builtin_is_constant_evaluated()) return __builtin_fma(a, b, c);
#endif
  return a * b + c;
}

// e^x by 2^(x / ln 2) = 2^n * 2^f, n an integer and |f| <= 1/2. NaN gives a number.
constexpr double exp_in_double(float x) {
  // e^104 is infinite as a float and e^-104 is 0.
  constexpr uint32_t kEnd = bits_of_float(104.0f);
  const uint32_t magnitude = bits_of_float(x) & 0x7FFFFFFF;
  const uint32_t sign = bits_of_float(x) & 0x80000000;
  const double wide = float_of_bits(sign | (magnitude < kEnd ? magnitude : kEnd));

  // 1 / ln 2 in two parts; the product of x and the first is exact.
  constexpr double kHigh = 0x1.7154765p+0;
  constexpr double kLow = 0x1.5c17f0bbbe880p-31;
  constexpr double kToInteger = 0x1.8p52;  // the sum's last digit counts 1
  const auto fma = about_multiply_add;
  const double shifted = fma(wide, kHigh, kToInteger);
  const double f = fma(wide, kLow, fma(wide, kHigh, kToInteger - shifted));

  // 2^f = 1 + f * q(f), off by 2^-52.01 at most. The odd and the even powers of q on their own:
  // two sums at once, and few products.
  const double f2 = f * f;
  double odd = 0x1.e3a8f0237e9e9p-28, even = 0x1.b671d4c762033p-24;
  odd = fma(odd, f2, 0x1.62c147d93dc68p-20);
  even = fma(even, f2, 0x1.ffcb58a8f738ep-17);
  odd = fma(odd, f2, 0x1.4309126bd98f2p-13);
  even = fma(even, f2, 0x1.5d87fe9b999a4p-10);
  odd = fma(odd, f2, 0x1.3b2ab6fbd6e32p-7);
  even = fma(even, f2, 0x1.c6b08d703e12dp-5);
  odd = fma(odd, f2, 0x1.ebfbdff82c431p-3);
  even = fma(even, f2, 0x1.62e42fefa3a12p-1);
  const double power = fma(fma(odd, f, even), f, 1.0);
  // The low digits of `shifted` are n, which is added to the exponent.
  return double_of_bits(bits_of_double(power) + (bits_of_double(shifted) << 52));
}

// exp(-inf) = 0, exp(inf) = inf.
constexpr float exp_of(float x) {
  return float_of_bits(bits_of_float(float(exp_in_double(x))) | mask_if(x != x));
}

// n and r with x = n * ln 2 + r, |r| <= ln 2 / 2; then e^x = 2^n * e^r. The products with the first
// part of ln 2 are exact. Polynomial and constants are such that each half comes out right, found
// by a search around the minimax ones; the polynomial begins with 1 - 2^-24 because two results
// lie less than that below the middle of two halves.
constexpr float exp_of_half(float x) {
  // e^18 is infinite as a half and e^-18 is 0.
  constexpr uint32_t kEnd = bits_of_float(18.0f);
  const uint32_t magnitude = bits_of_float(x) & 0x7FFFFFFF;
  const uint32_t sign = bits_of_float(x) & 0x80000000;
  const float near = float_of_bits(sign | (magnitude < kEnd ? magnitude : kEnd));

  constexpr float kToInteger = 0x1.8p23f;  // the sum's last digit counts 1
  const float shifted = near * 0x1.715476p+0f + kToInteger;
  const float n = shifted - kToInteger;
  const float r = (near - n * 0x1.62ep-1f) - n * 0x1.0c20fp-15f;
  float p = 0x1.02dc3p-9f;
  p = p * r + 0x1.d2a872p-8f;
  p = p * r + 0x1.51372p-5f;
  p = p * r + 0x1.5589fep-3f;
  p = p * r + 0x1.000556p-1f;
  p = p * r + 1.0f;
  p = p * r + 0x1.fffffep-1f;
  const uint32_t power = bits_of_float(p) + (bits_of_float(shifted) << 23);
  return float_of_bits(power | mask_if(x != x));
}

// e^x - 1. In double what the difference loses is far behind the digits of a half, also next to 0.
// One half has a result so close to the middle of two halves that a nearest float is that middle.
constexpr float expm1_of_half(float x) {
  const float odd = float_of_double_odd(exp_in_double(x) - 1.0);
  const uint32_t number = bits_of_float(odd) | mask_if(x != x);
  const uint32_t zero = mask_if(x == 0);
  return float_of_bits((number & ~zero) | (bits_of_float(x) & zero));
}

// ln x of a positive, finite x = m * 2^n, no subnormal double, with m between sqrt(1/2) and
// sqrt(2).
constexpr double ln_in_double(double x) {
  constexpr uint64_t kRootOfHalf = bits_of_double(0x1.6a09e667f3bcdp-1);
  constexpr uint64_t kOne = bits_of_double(1.0);
  constexpr uint64_t kFraction = (uint64_t{1} << 52) - 1;
  const uint64_t moved = bits_of_double(x) + (kOne - kRootOfHalf);
  // moved >> 52 is n + 1023. As the low digits of 2^52 it becomes a double.
  const double n = double_of_bits(bits_of_double(0x1p52) | moved >> 52) - (0x1p52 + 1023);
  const double m = double_of_bits((moved & kFraction) + kRootOfHalf);

  // With f = m - 1 and s = f / (2 + f), ln m = 2 atanh(s) = f - s * (f - r), where
  // r = 2 s^2 / 3 + 2 s^4 / 5 ...: f is exact, and what is taken from it is smaller. The polynomial
  // puts ln m off by 2^-52.2 at most.
  const double f = m - 1.0;
  const double s = f / (m + 1.0);
  const double s2 = s * s;
  double r = 0x1.58791aa440401p-3;
  r = r * s2 + 0x1.732c051cb623bp-3;
  r = r * s2 + 0x1.c722790819889p-3;
  r = r * s2 + 0x1.249241761dae9p-2;
  r = r * s2 + 0x1.999999a295c82p-2;
  r = r * s2 + 0x1.555555555395cp-1;
  r = r * s2;

  // ln 2 in two parts. Eight floats have a logarithm so close to the middle of two floats, 2^-53 to
  // 2^-58 of it, that its nearest double is that middle, and rounding that to float is a toss. With
  // the first part 9 * 2^-53 below ln 2's double, and both together 13 * 2^-58 above ln 2, all of
  // these land on the right side; the search for such parts took a list of the hardest floats.
  constexpr double kHigh = 0x1.62e42fefa39e6p-1;
  constexpr double kLow = 0x1.33af278ece601p-50;
  return (n * kHigh + (n * kLow + f)) - s * (f - r);
}

// `result` where x is positive and finite; else ln(inf) = inf, ln(+-0) = -inf, and NaN for NaN and
// what is negative.
constexpr float ln_or_special(float x, float result) {
  const uint32_t finite = mask_if(x < __builtin_inff());
  const uint32_t number = bits_of_float(result) & finite & mask_if(x > 0);
  const uint32_t special = (bits_of_float(x) & ~finite) |
                           (bits_of_float(-__builtin_inff()) & mask_if(x == 0)) |
                           (kFloatNan & mask_if(x < 0));
  return float_of_bits(number | special);
}
constexpr float ln_of(float x) { return ln_or_special(x, float(ln_in_double(x))); }

// The same steps in float, with constants that bring out each half right.
constexpr float ln_of_half(float x) {
  constexpr uint32_t kRootOfHalf = bits_of_float(0x1.6a09e6p-1f);
  constexpr uint32_t kOne = bits_of_float(1.0f);
  const uint32_t moved = bits_of_float(x) + (kOne - kRootOfHalf);
  const float n = float_of_bits(bits_of_float(0x1p23f) | moved >> 23) - (0x1p23f + 127);
  const float m = float_of_bits((moved & 0x7FFFFF) + kRootOfHalf);

  const float f = m - 1.0f;
  const float s = f / (m + 1.0f);
  const float s2 = s * s;
  float r = 0x1.3223c6p-2f;
  r = r * s2 + 0x1.99627ap-2f;
  r = r * s2 + 0x1.55576cp-1f;
  r = r * s2;
  return ln_or_special(x, n * 0x1.62ep-1f + (f - (s * (f - r) - n * 0x1.0bec5p-15f)));
}

// IEEE 754's own operations. sqrt(-0) = -0, 1 / +-0 = +-inf, 1 / +-inf = +-0.
inline float sqrt_of(float x) { return __builtin_sqrtf(x); }
constexpr float reciprocal_of(float x) { return 1.0f / x; }

// rsqrt(+-0) = +-inf, rsqrt(inf) = 0, and NaN for what is negative. A step of Newton's, of third
// order and in double, from a start that is right to some 22 digits; cheaper than a root and a
// quotient in double.
inline float rsqrt_of(float x) {
  const float start = 1.0f / __builtin_sqrtf(x);
  const double y = start;
  const double rest = 1.0 - double(x) * y * y;
  const float result = float(y + y * (rest * (0.5 + 0.375 * rest)));
  // For 0, infinity and what is negative the step is NaN, and the start is right.
  const uint32_t number = mask_if(result == result);
  return float_of_bits((bits_of_float(result) & number) | (bits_of_float(start) & ~number));
}

}  // namespace vinci
