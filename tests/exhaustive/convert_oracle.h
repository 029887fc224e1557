// What a conversion gives, from the definition of the round modes in exact integers. Nothing here
// is vinci's but the names of the modes.
//
// Numbers come in runs that are alike in all but their digits, so that one loop serves a run.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "numeric/convert.h"

namespace vinci::exhaustive {

inline constexpr Round kModes[] = {Round::kNone,  Round::kRint,  Round::kFloor, Round::kCeil,
                                   Round::kRound, Round::kTrunc, Round::kOdd};
inline constexpr Overflow kOverflows[] = {Overflow::kSaturate, Overflow::kWrapOrInf};

// (-1)^negative * digits * 2^exponent, where digits has `length` bits; or what is no such number.
struct Alike {
  enum Kind : uint8_t { kFinite, kInfinite, kNan } kind = kFinite;
  bool negative = false;
  int exponent = 0;
  int length = 0;
  bool operator==(const Alike&) const = default;
};

// An IEEE 754 binary format, by the widths of its fields.
struct Binary {
  int exponent_bits, fraction_bits;
  constexpr uint32_t infinity() const { return ((1u << exponent_bits) - 1) << fraction_bits; }
  constexpr uint32_t sign() const { return 1u << (exponent_bits + fraction_bits); }
  constexpr uint32_t nan() const { return infinity() | 1u << (fraction_bits - 1); }
  // The last digit of subnormals counts 2^least().
  constexpr int least() const { return 2 - (1 << (exponent_bits - 1)) - fraction_bits; }
};
inline constexpr Binary kBinary16{5, 10}, kBrain16{8, 7}, kBinary32{8, 23};

inline Alike take_apart(uint32_t pattern, const Binary& type, uint64_t& digits) {
  const uint32_t one = 1u << type.fraction_bits;
  const uint32_t fraction = pattern & (one - 1);
  const uint32_t field = (pattern & (type.sign() - 1)) / one;
  Alike alike;
  alike.negative = (pattern & type.sign()) != 0;
  digits = 0;
  if (field == type.infinity() / one) {
    alike.kind = fraction == 0 ? Alike::kInfinite : Alike::kNan;
    return alike;
  }
  digits = field == 0 ? fraction : fraction + one;
  alike.exponent = type.least() + int(field == 0 ? 0 : field - 1);
  alike.length = std::bit_width(digits);
  return alike;
}

inline Alike take_apart(int64_t integer, uint64_t& digits) {
  Alike alike;
  alike.negative = integer < 0;
  digits = alike.negative ? 0 - uint64_t(integer) : uint64_t(integer);
  alike.length = std::bit_width(digits);
  return alike;
}

// digits / 2^cut, rounded as a magnitude; 1 <= cut <= 62.
template <Round mode>
void divide(const uint64_t* digits, size_t count, int cut, bool negative, uint64_t* results) {
  const uint64_t unit = uint64_t{1} << cut;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t below = digits[i] >> cut;
    const int64_t twice = 2 * int64_t(digits[i] & (unit - 1)), whole = int64_t(unit);
    const bool inexact = twice != 0, odd = (below & 1) != 0;
    bool up = false;
    if (mode == Round::kNone || mode == Round::kRint) {
      up = twice > whole || (twice == whole && odd);
    } else if (mode == Round::kRound) {
      up = twice >= whole;
    } else if (mode == Round::kFloor) {
      up = inexact && negative;
    } else if (mode == Round::kCeil) {
      up = inexact && !negative;
    } else if (mode == Round::kOdd) {
      up = inexact && !odd;
    }
    results[i] = below + up;
  }
}

// digits * 2^-cut modulo 2^64, for any cut.
inline void scale(const uint64_t* digits, size_t count, int cut, bool negative, Round mode,
                  uint64_t* results) {
  if (cut <= 0) {
    for (size_t i = 0; i < count; ++i) results[i] = cut > -64 ? digits[i] << -cut : 0;
    return;
  }
  cut = std::min(cut, 62);  // digits are fewer: below a quarter
  switch (mode) {
    case Round::kNone:
    case Round::kRint: return divide<Round::kRint>(digits, count, cut, negative, results);
    case Round::kFloor: return divide<Round::kFloor>(digits, count, cut, negative, results);
    case Round::kCeil: return divide<Round::kCeil>(digits, count, cut, negative, results);
    case Round::kRound: return divide<Round::kRound>(digits, count, cut, negative, results);
    case Round::kTrunc: return divide<Round::kTrunc>(digits, count, cut, negative, results);
    case Round::kOdd: return divide<Round::kOdd>(digits, count, cut, negative, results);
  }
}

// Past the largest number: does IEEE 754 go on to infinity?
inline bool to_infinity(Round mode, bool negative) {
  if (mode == Round::kFloor) return negative;
  if (mode == Round::kCeil) return !negative;
  return mode != Round::kTrunc && mode != Round::kOdd;
}

// Patterns of a float format, from a run.
template <class Pattern>
void to_float(const Alike& alike, const uint64_t* digits, size_t count, const Binary& type,
              Round mode, bool saturates, uint64_t* scratch, Pattern* results) {
  const uint32_t sign = alike.negative ? type.sign() : 0;
  const uint32_t infinity = type.infinity(), most = infinity - 1;
  if (alike.kind != Alike::kFinite || alike.length == 0) {
    const uint32_t all = alike.kind == Alike::kNan        ? (saturates ? 0 : type.nan())
                         : alike.kind == Alike::kInfinite ? sign | (saturates ? most : infinity)
                                                          : sign;
    std::fill_n(results, count, Pattern(all));
    return;
  }
  const int last = std::max(alike.exponent + alike.length - 1 - type.fraction_bits, type.least());
  scale(digits, count, last - alike.exponent, alike.negative, mode, scratch);
  // The leading digit of a normal number adds one to the exponent's field, as a carry does.
  const uint64_t field = uint64_t(last - type.least()) << type.fraction_bits;
  const uint32_t past = !saturates && to_infinity(mode, alike.negative) ? infinity : most;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t pattern = field + scratch[i];
    results[i] = Pattern(sign | uint32_t(int64_t(pattern) < int64_t(infinity) ? pattern : past));
  }
}

// The integers of a type of `bits` bits, from a run.
template <class Integer>
void to_integer(const Alike& alike, const uint64_t* digits, size_t count, int bits, Round mode,
                Overflow overflow, uint64_t* scratch, Integer* results) {
  const bool saturates = overflow == Overflow::kSaturate;
  const bool is_signed = std::numeric_limits<Integer>::is_signed;
  const uint64_t above = uint64_t{1} << (bits - is_signed) % 64;  // the first that is too large
  const uint64_t limit = alike.negative ? (is_signed ? above : 0) : above - 1;
  const auto with_sign = [&](uint64_t magnitude) {
    const uint64_t wrapped = alike.negative ? 0 - magnitude : magnitude;
    if (bits == 4) return Integer(int8_t(uint8_t(wrapped << 4)) >> 4);
    return Integer(wrapped);
  };
  if (alike.kind == Alike::kNan) return void(std::fill_n(results, count, Integer{0}));
  if (alike.kind == Alike::kInfinite) {
    // Before the low bits are taken, the end of int32, or of int64 if that is the type.
    const uint64_t end = bits == 64 ? uint64_t(INT64_MAX) : uint64_t(INT32_MAX);
    const uint64_t magnitude = saturates ? limit : end + alike.negative;
    return void(std::fill_n(results, count, with_sign(magnitude)));
  }
  scale(digits, count, -alike.exponent, alike.negative, mode, scratch);
  const bool beyond = alike.length != 0 && alike.exponent + alike.length > 64;
  for (size_t i = 0; i < count; ++i) {
    const bool too_large = beyond || scratch[i] > limit;
    results[i] = with_sign(saturates && too_large ? limit : scratch[i]);
  }
}

// float to float: an integer, as a float, whose zero has no sign.
inline void to_whole_float(const Alike& alike, const uint64_t* digits, size_t count, Round mode,
                           uint64_t* scratch, uint32_t* results) {
  if (alike.kind != Alike::kFinite || alike.exponent >= 0) {
    return to_float(alike, digits, count, kBinary32, mode, false, scratch, results);
  }
  scale(digits, count, -alike.exponent, alike.negative, mode, scratch);
  for (size_t i = 0; i < count; ++i) {
    const auto magnitude = float(int32_t(scratch[i]));  // at most 2^24: exact
    uint32_t pattern;
    std::memcpy(&pattern, &magnitude, sizeof(pattern));
    results[i] = pattern | (alike.negative && scratch[i] != 0 ? kBinary32.sign() : 0);
  }
}

}  // namespace vinci::exhaustive
