// Functions on numbers, for scalar code.
#pragma once

// Kernels call abs and sqrt without any namespace.
#include <math.h>
#include <stdlib.h>

#include <cstdint>
#include <type_traits>

#include "ascendc/cast.h"

namespace AscendC {

namespace in_api {

// Any integer. Kernels often have a function of the same name of their own: that is what their
// calls shall mean, and a parameter to which everything must be converted is the worst choice.
struct Integer {
  template <class I, std::enable_if_t<std::is_integral_v<I> || std::is_enum_v<I>, int> = 0>
  constexpr Integer(I number) : value(uint64_t(number)) {}
  uint64_t value;
};

}  // namespace in_api

// The bits of a number as another type, which is no wider.
template <class T, class U>
U GetScalarBitcodeValue(T scalarValue) {
  static_assert(sizeof(U) <= sizeof(T), "GetScalarBitcodeValue: the result has no more bits");
  U value;
  __builtin_memcpy(&value, &scalarValue, sizeof(U));
  return value;
}

// num1 / num2, rounded up; 0 if num2 is 0. Both are positive.
constexpr int32_t CeilDivision(int32_t num1, int32_t num2) {
  return num2 == 0 ? 0 : int32_t((int64_t(num1) + num2 - 1) / num2);
}
constexpr uint32_t DivCeil(in_api::Integer number, in_api::Integer divisor) {
  return divisor.value == 0 ? 0 : uint32_t((number.value + divisor.value - 1) / divisor.value);
}
constexpr uint32_t Ceil(in_api::Integer number, in_api::Integer divisor) {
  return DivCeil(number, divisor);
}
constexpr uint32_t CeilDiv(in_api::Integer number, in_api::Integer divisor) {
  return DivCeil(number, divisor);
}
// The next multiple of `unit`.
constexpr uint32_t AlignUp(in_api::Integer number, in_api::Integer unit) {
  return uint32_t(DivCeil(number, unit) * unit.value);
}
constexpr uint32_t CeilAlign(in_api::Integer number, in_api::Integer unit) {
  return AlignUp(number, unit);
}

// How many bits are countValue.
template <int countValue>
int64_t GetBitCount(uint64_t valueIn) {
  static_assert(countValue == 0 || countValue == 1, "GetBitCount<0> or GetBitCount<1>");
  return __builtin_popcountll(countValue == 1 ? valueIn : ~valueIn);
}
// The lowest bit that is countValue, -1 if there is none.
template <int countValue>
int64_t GetSFFValue(uint64_t valueIn) {
  static_assert(countValue == 0 || countValue == 1, "GetSFFValue<0> or GetSFFValue<1>");
  const uint64_t bits = countValue == 1 ? valueIn : ~valueIn;
  return bits == 0 ? -1 : __builtin_ctzll(bits);
}
// Zeros above the highest one; 64 if there is none.
inline int64_t CountLeadingZero(uint64_t valueIn) {
  return valueIn == 0 ? 64 : __builtin_clzll(valueIn);
}
// How many bits below the sign are like it, without a gap.
inline int64_t CountBitsCntSameAsSignBit(int64_t valueIn) { return __builtin_clrsbll(valueIn); }

// The older names.
template <int countValue>
int64_t ScalarGetCountOfValue(uint64_t valueIn) {
  return GetBitCount<countValue>(valueIn);
}
template <int countValue>
int64_t ScalarGetSFFValue(uint64_t valueIn) {
  return GetSFFValue<countValue>(valueIn);
}
inline int64_t ScalarCountLeadingZero(uint64_t valueIn) { return CountLeadingZero(valueIn); }

namespace in_api {

// To the neighbour with an odd last digit, if the number is no half.
inline half half_odd(float value) {
  const half nearest(value);
  if (float(nearest) == value || value != value) return nearest;
  const bool beyond = fabsf(float(nearest)) > fabsf(value);
  return half::from_bits(uint16_t((nearest.bits - beyond) | 1));
}

inline int32_t rounded(float value, RoundMode mode) {
  double whole = rint(value);
  if (mode == RoundMode::CAST_ROUND) whole = round(value);
  if (mode == RoundMode::CAST_FLOOR) whole = floor(value);
  if (mode == RoundMode::CAST_CEIL) whole = ceil(value);
  if (whole != whole) return 0;
  if (whole >= 2147483647.0) return INT32_MAX;
  return whole <= -2147483648.0 ? INT32_MIN : int32_t(whole);
}

}  // namespace in_api

// float to half, to the neighbour with an odd last digit (CAST_ODD); float to int32_t.
template <class T, class U, RoundMode roundMode>
U Cast(T valueIn) {
  static_assert(std::is_same_v<T, float>, "Cast of a scalar: from float");
  if constexpr (std::is_same_v<U, half>) {
    static_assert(roundMode == RoundMode::CAST_ODD, "Cast from float to half: CAST_ODD");
    return in_api::half_odd(valueIn);
  } else {
    static_assert(std::is_same_v<U, int32_t>, "Cast of a scalar: to half or int32_t");
    static_assert(roundMode == RoundMode::CAST_RINT || roundMode == RoundMode::CAST_ROUND ||
                      roundMode == RoundMode::CAST_FLOOR || roundMode == RoundMode::CAST_CEIL,
                  "Cast from float to int32_t: CAST_RINT, CAST_ROUND, CAST_FLOOR or CAST_CEIL");
    return in_api::rounded(valueIn, roundMode);
  }
}
inline bfloat16_t Cast(const float& fVal) { return bfloat16_t(fVal); }
template <class T, class U = float>
U Cast(const T& bVal) {
  static_assert(std::is_same_v<U, float>, "Cast of a scalar: to float");
  return float(bVal);
}

// The older names.
template <class T, class U, RoundMode roundMode>
U ScalarCast(T valueIn) {
  return Cast<T, U, roundMode>(valueIn);
}
inline bfloat16_t ToBfloat16(const float& fVal) { return bfloat16_t(fVal); }
inline float ToFloat(const bfloat16_t& bVal) { return float(bVal); }

}  // namespace AscendC

// The smaller and the larger of two numbers. Any other function of the name is the better choice,
// since these take any number of arguments; they want two.
template <class... Numbers>
constexpr auto min(Numbers... numbers) -> std::common_type_t<Numbers...> {
  static_assert(sizeof...(Numbers) == 2, "min of two numbers");
  const std::common_type_t<Numbers...> pair[] = {std::common_type_t<Numbers...>(numbers)...};
  return pair[1] < pair[0] ? pair[1] : pair[0];
}
template <class... Numbers>
constexpr auto max(Numbers... numbers) -> std::common_type_t<Numbers...> {
  static_assert(sizeof...(Numbers) == 2, "max of two numbers");
  const std::common_type_t<Numbers...> pair[] = {std::common_type_t<Numbers...>(numbers)...};
  return pair[0] < pair[1] ? pair[1] : pair[0];
}

// Hints for the compiler.
template <class Condition>
constexpr bool likely(const Condition& condition) {
  return __builtin_expect(bool(condition), true);
}
template <class Condition>
constexpr bool unlikely(const Condition& condition) {
  return __builtin_expect(bool(condition), false);
}
