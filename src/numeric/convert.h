// One number from one element type to another, in any round mode: exact, with one rounding.
//
// A number is taken apart into sign, significand and exponent, its magnitude rounded at the last
// digit that the result has room for, and the result brought into range. Rules and decisions:
// docs/spec/conversion.md.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "numeric/round.h"
#include "vinci/dtype.h"
#include "vinci/float_bits.h"

namespace vinci {

// What becomes of a result that its type cannot hold.
enum class Overflow : uint8_t {
  kSaturate,   // the end of the range; NaN becomes 0. float results never saturate
  kWrapOrInf,  // an integer keeps its low bits; a float follows IEEE 754, and NaN stays NaN
};

template <int kBits, bool kSigned>
struct IntegerFormat {
  static constexpr bool kIsFloat = false;
  static constexpr uint64_t kMost = ~uint64_t{0} >> (64 - kBits + kSigned);
  static constexpr uint64_t kLeast = kSigned ? kMost + 1 : 0;  // magnitude of the least number
  // The low bits of a two's complement number, with their sign extended.
  static constexpr int64_t wrapped(uint64_t value) {
    return int64_t(value << (64 - kBits)) >> (64 - kBits);
  }
  // Stands for an infinity before the low bits are taken.
  static constexpr uint64_t kEndless = kBits == 64 ? INT64_MAX : INT32_MAX;
};

template <int kExponentBits, int kFraction>
struct FloatFormat {
  static constexpr bool kIsFloat = true;
  static constexpr int kFractionBits = kFraction;
  static constexpr uint32_t kSign = 1u << (kExponentBits + kFraction);
  static constexpr uint32_t kInfinity = kSign - (1u << kFraction);
  static constexpr uint32_t kMost = kInfinity - 1;  // the largest finite number
  static constexpr uint32_t kNan = kInfinity | 1u << (kFraction - 1);
  // The last digit of subnormal numbers counts 2^kLeastUnit.
  static constexpr int kLeastUnit = 2 - (1 << (kExponentBits - 1)) - kFraction;
};

// Lane: the form in which one element travels. half and bfloat16 are their bits, int4 is a byte
// that holds -8 to 7.
template <class T>
struct Format : IntegerFormat<int(8 * sizeof(T)), std::is_signed_v<T>> {
  using Lane = T;
};
template <>
struct Format<AscendC::int4b_t> : IntegerFormat<4, true> {
  using Lane = int8_t;
};
template <>
struct Format<half> : FloatFormat<5, 10> {
  using Lane = uint16_t;
};
template <>
struct Format<bfloat16_t> : FloatFormat<8, 7> {
  using Lane = uint16_t;
};
template <>
struct Format<float> : FloatFormat<8, 23> {
  using Lane = float;
};
static_assert(Format<half>::kNan == kHalfNan && Format<bfloat16_t>::kNan == kBfloat16Nan &&
              Format<float>::kNan == kFloatNan);
template <class T>
using LaneOf = typename Format<T>::Lane;

// (-1)^negative * significand * 2^exponent, or what is no such number.
struct Number {
  uint64_t significand = 0;
  int exponent = 0;
  bool negative = false;
  bool infinite = false;
  bool nan = false;
};

template <class T>
constexpr uint32_t bits_of_lane(LaneOf<T> lane) {
  if constexpr (std::is_same_v<T, float>) return bits_of_float(lane);
  return uint32_t(lane);
}

template <class T>
constexpr LaneOf<T> lane_of_bits(uint32_t bits) {
  if constexpr (std::is_same_v<T, float>) return float_of_bits(bits);
  return LaneOf<T>(bits);
}

template <class T>
constexpr Number number_of(LaneOf<T> lane) {
  using F = Format<T>;
  Number x;
  if constexpr (F::kIsFloat) {
    const uint32_t bits = bits_of_lane<T>(lane);
    const uint32_t magnitude = bits & (F::kSign - 1);
    const uint32_t exponent = magnitude >> F::kFractionBits;
    const uint32_t normal = exponent != 0;
    const uint32_t fraction = magnitude - (exponent << F::kFractionBits);
    x.significand = fraction + (normal << F::kFractionBits);
    x.exponent = F::kLeastUnit + int(exponent - normal);
    x.negative = (bits & F::kSign) != 0;
    x.infinite = magnitude == F::kInfinity;
    x.nan = magnitude > F::kInfinity;
  } else {
    x.negative = lane < 0;
    x.significand = x.negative ? 0 - uint64_t(lane) : uint64_t(lane);
  }
  return x;
}

template <class T>
constexpr LaneOf<T> integer_of(const Number& x, Round mode, Overflow overflow) {
  using F = Format<T>;
  if (x.nan) return 0;
  const bool saturate = overflow == Overflow::kSaturate;
  const uint64_t limit = x.negative ? F::kLeast : F::kMost;
  uint64_t magnitude = 0;  // modulo 2^64
  if (x.infinite) {
    magnitude = saturate ? limit : F::kEndless + x.negative;
  } else {
    if (x.exponent < 64) magnitude = shift_right(x.significand, -x.exponent, x.negative, mode);
    const bool above_64_bits = x.exponent > std::countl_zero(x.significand);
    if (saturate && (magnitude > limit || above_64_bits)) magnitude = limit;
  }
  return LaneOf<T>(F::wrapped(x.negative ? 0 - magnitude : magnitude));
}

template <class T>
constexpr LaneOf<T> float_of(const Number& x, Round mode, Overflow overflow) {
  using F = Format<T>;
  const bool saturate = overflow == Overflow::kSaturate && !std::is_same_v<T, float>;
  const uint32_t sign = x.negative ? F::kSign : 0;
  if (x.nan) return lane_of_bits<T>(saturate ? 0 : F::kNan);
  if (x.infinite) return lane_of_bits<T>(sign | (saturate ? F::kMost : F::kInfinity));
  if (x.significand == 0) return lane_of_bits<T>(sign);

  const int digits = std::bit_width(x.significand);
  const int unit = std::max(x.exponent + digits - 1 - F::kFractionBits, F::kLeastUnit);
  const uint64_t rounded = shift_right(x.significand, unit - x.exponent, x.negative, mode);
  // The leading 1 of a normal number, or a carry into it, counts as one exponent.
  const uint32_t magnitude =
      (uint32_t(unit - F::kLeastUnit) << F::kFractionBits) + uint32_t(rounded);
  if (magnitude < F::kInfinity) return lane_of_bits<T>(sign | magnitude);
  // As if far above the largest number, whose last digit is 1.
  const bool up = !saturate && rounds_up(mode, x.negative, true, Rest::kAboveHalf);
  return lane_of_bits<T>(sign | (up ? F::kInfinity : F::kMost));
}

// To an integer, as a float. A result of 0 has no sign.
constexpr float round_to_integer(float value, Round mode) {
  Number x = number_of<float>(value);
  if (!x.nan && !x.infinite && x.exponent < 0) {
    x.significand = shift_right(x.significand, -x.exponent, x.negative, mode);
    x.exponent = 0;
    x.negative = x.negative && x.significand != 0;
  }
  return float_of<float>(x, mode, Overflow::kWrapOrInf);
}

// The types are those of DType up to int64. float to float rounds to an integer, as Cast does.
template <class To, class From>
constexpr LaneOf<To> convert(LaneOf<From> value, Round mode, Overflow overflow) {
  if constexpr (std::is_same_v<To, float> && std::is_same_v<From, float>) {
    return round_to_integer(value, mode);
  } else if constexpr (Format<To>::kIsFloat) {
    static_assert(!std::is_same_v<To, From>, "nothing to convert");
    return float_of<To>(number_of<From>(value), mode, overflow);
  } else {
    return integer_of<To>(number_of<From>(value), mode, overflow);
  }
}

}  // namespace vinci
