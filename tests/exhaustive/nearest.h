// Whether a result is the exact one rounded to nearest even, decided in integers: the exact result
// lies between the middles of the result and its two neighbours.
#pragma once

#include <bit>
#include <cstdint>

namespace vinci::exhaustive {

__extension__ using Wide = unsigned __int128;

// significand * 2^exponent, not negative.
struct Dyadic {
  Wide significand;
  int exponent;
};

inline Dyadic operator*(Dyadic a, Dyadic b) {  // the significands' product has to fit
  return {a.significand * b.significand, a.exponent + b.exponent};
}

inline int digits_of(Wide value) {
  const auto high = uint64_t(value >> 64);
  return high != 0 ? 64 + std::bit_width(high) : std::bit_width(uint64_t(value));
}

// The sign of a - b.
inline int compare(Dyadic a, Dyadic b) {
  if (a.significand == 0 || b.significand == 0) {
    return int(a.significand != 0) - int(b.significand != 0);
  }
  const int top = (a.exponent + digits_of(a.significand)) - (b.exponent + digits_of(b.significand));
  if (top != 0) return top;
  // With the same leading digit both fit on the smaller exponent.
  if (a.exponent > b.exponent) a.significand <<= a.exponent - b.exponent;
  if (b.exponent > a.exponent) b.significand <<= b.exponent - a.exponent;
  return a.significand > b.significand ? 1 : a.significand < b.significand ? -1 : 0;
}

template <int kFractionBits, int kExponentBits>
struct Binary {
  static constexpr uint32_t kSign = 1u << (kFractionBits + kExponentBits);
  static constexpr uint32_t kInfinity = kSign - (1u << kFractionBits);
  static constexpr uint32_t kNan = kInfinity | 1u << (kFractionBits - 1);
  static constexpr int kLeastExponent = 2 - (1 << (kExponentBits - 1)) - kFractionBits;

  static constexpr uint32_t magnitude_of(uint32_t bits) { return bits & (kSign - 1); }
  static constexpr bool is_nan(uint32_t bits) { return magnitude_of(bits) > kInfinity; }
  static constexpr bool is_negative(uint32_t bits) { return (bits & kSign) != 0; }

  // Infinity counts as the number that would stand in its place.
  static constexpr Dyadic value_of(uint32_t magnitude) {
    const uint32_t field = magnitude >> kFractionBits;
    const uint32_t fraction = magnitude & ((1u << kFractionBits) - 1);
    if (field == 0) return {fraction, kLeastExponent};
    return {fraction | 1u << kFractionBits, kLeastExponent + int(field) - 1};
  }

  // The middle of the magnitude and the next one: of at most kFractionBits + 2 digits.
  static constexpr Dyadic middle_above(uint32_t magnitude) {
    const Dyadic value = value_of(magnitude);
    return {2 * value.significand + 1, value.exponent - 1};
  }

  // compare_with_exact(y): the sign of y - exact result, for y >= 0.
  template <class Compare>
  static bool is_nearest(uint32_t magnitude, const Compare& compare_with_exact) {
    const bool even = magnitude % 2 == 0;
    if (magnitude > 0) {
      const int below = compare_with_exact(middle_above(magnitude - 1));
      if (below > 0 || (below == 0 && !even)) return false;
    }
    if (magnitude == kInfinity) return true;
    const int above = compare_with_exact(middle_above(magnitude));
    return above > 0 || (above == 0 && even);
  }

  // The functions below take bits and judge bits; NaN has to be the positive quiet one.
  static bool is_sqrt(uint32_t x, uint32_t result) {
    if (is_nan(x)) return result == kNan;
    if (magnitude_of(x) == 0 || x == kInfinity) return result == x;
    if (is_negative(x)) return result == kNan;
    const Dyadic value = value_of(x);
    return result < kInfinity &&
           is_nearest(result, [&](Dyadic y) { return compare(y * y, value); });
  }

  static bool is_rsqrt(uint32_t x, uint32_t result) {
    if (is_nan(x)) return result == kNan;
    if (magnitude_of(x) == 0) return result == (x | kInfinity);
    if (is_negative(x)) return result == kNan;
    if (x == kInfinity) return result == 0;
    const Dyadic value = value_of(x);
    return result <= kInfinity && is_nearest(result, [&](Dyadic y) {
             return compare(y * y * value, {1, 0});
           });
  }

  static bool is_quotient(uint32_t a, uint32_t b, uint32_t result) {
    if (is_nan(a) || is_nan(b)) return result == kNan;
    const uint32_t sign = (a ^ b) & kSign;
    const uint32_t over = magnitude_of(a), under = magnitude_of(b);
    if ((over == 0 && under == 0) || (over == kInfinity && under == kInfinity)) {
      return result == kNan;
    }
    if (over == 0 || under == kInfinity) return result == sign;
    if (over == kInfinity || under == 0) return result == (sign | kInfinity);
    if ((result & kSign) != sign || is_nan(result)) return false;
    const Dyadic numerator = value_of(over), denominator = value_of(under);
    return is_nearest(magnitude_of(result),
                      [&](Dyadic y) { return compare(y * denominator, numerator); });
  }

  static bool is_reciprocal(uint32_t x, uint32_t result) { return is_quotient(one(), x, result); }
  static constexpr uint32_t one() { return ((1u << (kExponentBits - 1)) - 1) << kFractionBits; }
};

using Float = Binary<23, 8>;
using Half = Binary<10, 5>;

}  // namespace vinci::exhaustive
