// Functions of one float, computed in double and rounded once: the result is the nearest float but
// where the exact value lies within some 2^-50 of itself from the middle of two floats.
//
// In IEEE 754's operations only, so with the same bits on every host. NaN for NaN.
#pragma once

#include <cmath>
#include <limits>

#include "numeric/elementary.h"

namespace vinci {
namespace special {

inline constexpr double kPi = 0x1.921fb54442d18p+1;
inline constexpr double kInf = __builtin_inf();
inline constexpr double kNan = __builtin_nan("");

// The sum of c[i] * x^i.
template <size_t n>
constexpr double polynomial(const double (&c)[n], double x) {
  double sum = c[n - 1];
  for (size_t i = n - 1; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

// e^x, off by some units of the last digit of a double.
inline double exp(double x) {
  if (x != x) return x;
  if (x > 709.0) return kInf;
  if (x < -708.0) return 0;
  static constexpr double kTerms[] = {1.0,
                                      1.0,
                                      1.0 / 2,
                                      1.0 / 6,
                                      1.0 / 24,
                                      1.0 / 120,
                                      1.0 / 720,
                                      1.0 / 5040,
                                      1.0 / 40320,
                                      1.0 / 362880,
                                      1.0 / 3628800,
                                      1.0 / 39916800,
                                      1.0 / 479001600,
                                      1.0 / 6227020800};
  const double n = __builtin_floor(x * 0x1.71547652b82fep+0 + 0.5);
  const double r = (x - n * 0x1.62e42fee00000p-1) - n * 0x1.a39ef35793c76p-33;
  const double power = double_of_bits(uint64_t(int64_t(n) + 1023) << 52);
  return polynomial(kTerms, r) * power;
}
// e^x - 1 without the loss next to 0.
inline double expm1(double x) {
  if (__builtin_fabs(x) > 0.5) return exp(x) - 1;
  double term = x, sum = x;
  for (int n = 2; n <= 16; ++n) sum += term *= x / n;
  return sum;
}
// ln x of a positive, finite double that is no subnormal.
inline double ln(double x) { return ln_in_double(x); }
// ln(1 + x) without the loss next to 0; x > -1.
inline double ln1p(double x) {
  if (__builtin_fabs(x) > 0.25) return ln(1 + x);
  // 2 atanh(s)
  const double s = x / (2 + x), s2 = s * s;
  double sum = 0;
  for (int n = 27; n >= 1; n -= 2) sum = sum * s2 + 1.0 / n;
  return 2 * s * sum;
}

// The angle below a quarter turn whose tangent is x >= 0.
inline double atan_of_positive(double x) {
  if (x > 1) return kPi / 2 - atan_of_positive(1 / x);
  // From the nearest of tan(i * pi / 32), by the tangent of a difference.
  static constexpr double kTangents[] = {0,
                                         0x1.936bb8c5b2da2p-4,
                                         0x1.975f5e0553158p-3,
                                         0x1.36a08355c63dcp-2,
                                         0x1.a827999fcef32p-2,
                                         0x1.11ab7190834ecp-1,
                                         0x1.561b82ab7f990p-1,
                                         0x1.a43002ae42850p-1,
                                         1.0};
  int i = 0;
  while (i < 8 && x > (kTangents[i] + kTangents[i + 1]) / 2) ++i;
  const double t = (x - kTangents[i]) / (1 + x * kTangents[i]), t2 = t * t;
  double sum = 0;
  for (int n = 17; n >= 1; n -= 2) sum = 1.0 / n - sum * t2;
  return i * (kPi / 32) + t * sum;
}
inline double atan(double x) { return x < 0 ? -atan_of_positive(-x) : atan_of_positive(x); }
// |x| <= 1
inline double asin(double x) { return atan(x / __builtin_sqrt((1 - x) * (1 + x))); }
inline double acos(double x) { return 2 * atan(__builtin_sqrt((1 - x) / (1 + x))); }

// |x| < 2^17
inline double tan(double x) {
  const double k = __builtin_floor(x * (2 / kPi) + 0.5);
  // pi / 2 in three parts, of which the products with k are exact but for the last.
  const double r =
      ((x - k * 0x1.921fb54400000p+0) - k * 0x1.0b4611a600000p-34) - k * 0x1.3198a2e037073p-69;
  const double r2 = r * r;
  double sine = 0, cosine = 0;
  for (int n = 19; n >= 3; n -= 2) sine = (1 + sine) * (-r2 / (n * (n - 1)));
  for (int n = 18; n >= 2; n -= 2) cosine = (1 + cosine) * (-r2 / (n * (n - 1)));
  sine = r + r * sine;
  cosine += 1;
  return int64_t(k) % 2 == 0 ? sine / cosine : -cosine / sine;
}

// 2 / sqrt(pi) * the integral of e^(-t^2) from 0 to x, 0 <= x < 3: a sum of positive numbers.
inline double erf_by_series(double x) {
  double term = x, sum = x;
  for (int n = 1; n < 60; ++n) sum += term *= 2 * x * x / (2 * n + 1);
  return 0x1.20dd750429b6dp+0 * exp(-x * x) * sum;
}
// 1 - erf(x), x >= 2: a continued fraction.
inline double erfc_by_fraction(double x) {
  double rest = 0;
  for (int n = 60; n >= 1; --n) rest = n / 2.0 / (x + rest);
  return exp(-x * x) / ((x + rest) * 0x1.c5bf891b4ef6bp+0);
}
inline double erf(double x) {
  const double positive = __builtin_fabs(x);
  const double y = positive < 2.5 ? erf_by_series(positive) : 1 - erfc_by_fraction(positive);
  return x < 0 ? -y : y;
}
inline double erfc(double x) {
  if (x < 0) return 1 + erf(-x);
  return x < 1 ? 1 - erf_by_series(x) : x < 2 ? 1 - erf_by_series(x) : erfc_by_fraction(x);
}

// x less the nearest integer, times pi: its sine and cosine.
inline double sin_pi(double x) {
  const double r = (x - __builtin_floor(x + 0.5)) * kPi, r2 = r * r;
  double sum = 0;
  for (int n = 27; n >= 3; n -= 2) sum = (1 + sum) * (-r2 / (n * (n - 1)));
  return r + r * sum;
}
inline double cos_pi(double x) {
  const double r = (x - __builtin_floor(x + 0.5)) * kPi, r2 = r * r;
  double sum = 0;
  for (int n = 28; n >= 2; n -= 2) sum = (1 + sum) * (-r2 / (n * (n - 1)));
  return 1 + sum;
}

// ln |gamma(x)|, x > 0: Stirling's series from 12 on, and the product of what is below.
inline double lgamma_of_positive(double x) {
  double product = 1;
  for (; x < 12; ++x) product *= x;
  const double r = 1 / x;
  static constexpr double kTerms[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                      1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
  const double rest = r * polynomial(kTerms, r * r);
  return (x - 0.5) * ln(x) - x + 0x1.d67f1c864beb5p-1 + rest - ln(product);
}
inline double lgamma(double x) {
  if (x > 0) return lgamma_of_positive(x);
  if (x == __builtin_floor(x)) return kInf;
  return ln(kPi / __builtin_fabs(x * sin_pi(x))) - lgamma_of_positive(-x);
}
// The derivative of ln gamma.
inline double digamma(double x) {
  if (x == __builtin_floor(x) && x <= 0) return kNan;
  if (x < 0) return digamma(1 - x) - kPi * cos_pi(x) / sin_pi(x);
  double below = 0;
  for (; x < 12; ++x) below += 1 / x;
  const double r = 1 / x;
  static constexpr double kTerms[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                      1.0 / 132, -691.0 / 32760, 1.0 / 12,  -3617.0 / 8160};
  return ln(x) - r / 2 - r * r * polynomial(kTerms, r * r) - below;
}

}  // namespace special
}  // namespace vinci
