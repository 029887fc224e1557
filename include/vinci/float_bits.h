// binary16 and bfloat16 bit patterns to and from float: IEEE 754, round to nearest even.
//
// Infinities stay infinities, subnormals are kept, a NaN becomes the positive quiet NaN.
#pragma once

#include <cstdint>
#include <type_traits>

namespace vinci {

inline constexpr uint16_t kHalfNan = 0x7E00;
inline constexpr uint16_t kBfloat16Nan = 0x7FC0;
inline constexpr uint32_t kFloatNan = 0x7FC00000;

constexpr uint32_t bits_of_float(float value) { return __builtin_bit_cast(uint32_t, value); }
constexpr float float_of_bits(uint32_t bits) { return __builtin_bit_cast(float, bits); }

// The float next to `value` towards zero, made odd if anything was cut off ("round to odd"). What
// is then rounded to at most 22 digits is rounded as if from `value` itself, once.
constexpr float float_of_double_odd(double value) {
  const float nearest = float(value);
  const double back = nearest;
  if (back == value || back != back) return nearest;
  const bool too_far = (back < 0 ? -back : back) > (value < 0 ? -value : value);
  return float_of_bits((bits_of_float(nearest) - (too_far ? 1 : 0)) | 1);
}

// The same from an integer, also one that has more digits than a double.
constexpr float float_of_number_odd(double value) { return float_of_double_odd(value); }
template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
constexpr float float_of_number_odd(Integer value) {
  constexpr Integer kExact = Integer{1} << (sizeof(Integer) == 8 ? 53 : 0);
  const bool exact = sizeof(Integer) < 8 || (value <= kExact && value >= Integer{0}) ||
                     (value < Integer{0} && value >= Integer{0} - kExact);
  if (exact) return float_of_double_odd(double(value));
  const Integer shortened = Integer((value >> 11) | Integer(value % 2048 != 0));
  return float_of_double_odd(double(shortened)) * 2048.0f;
}

// value / 2^shift to the nearest integer, ties to even; 1 <= shift <= 31.
constexpr uint32_t shift_right_to_even(uint32_t value, unsigned shift) {
  const uint32_t rest = value & ((1u << shift) - 1);
  const uint32_t tie = 1u << (shift - 1);
  const uint32_t kept = value >> shift;
  return kept + (rest > tie || (rest == tie && (kept & 1)) ? 1 : 0);
}

constexpr float float_of_half(uint16_t half_bits) {
  const uint32_t sign = uint32_t(half_bits & 0x8000) << 16;
  const uint32_t exponent = (half_bits >> 10) & 31;
  const uint32_t fraction = half_bits & 0x3FF;
  if (exponent == 31) {
    return float_of_bits(fraction != 0 ? kFloatNan : sign | 0x7F800000);
  }
  if (exponent == 0) {  // fraction * 2^-24, exact in float
    const float magnitude = float(fraction) * 0x1p-24f;
    return float_of_bits(bits_of_float(magnitude) | sign);
  }
  return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
}

constexpr uint16_t half_of_float(float value) {
  const uint32_t bits = bits_of_float(value);
  const uint16_t sign = uint16_t((bits >> 16) & 0x8000);
  const uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) return kHalfNan;
  if (magnitude >= 0x47800000) return uint16_t(sign | 0x7C00);  // 2^16 and above
  const uint32_t exponent = magnitude >> 23;
  if (exponent >= 113) {  // normal in half; a carry out of the fraction reaches infinity by itself
    return uint16_t(sign | shift_right_to_even(magnitude - (112u << 23), 13));
  }
  if (exponent < 102) return sign;  // below half of the smallest subnormal
  const uint32_t significand = (magnitude & 0x7FFFFF) | 0x800000;
  return uint16_t(sign | shift_right_to_even(significand, 126 - exponent));
}

constexpr float float_of_bfloat16(uint16_t bits) {
  return (bits & 0x7FFF) > 0x7F80 ? float_of_bits(kFloatNan) : float_of_bits(uint32_t(bits) << 16);
}

constexpr uint16_t bfloat16_of_float(float value) {
  const uint32_t bits = bits_of_float(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return kBfloat16Nan;
  return uint16_t(shift_right_to_even(bits, 16));
}

}  // namespace vinci
