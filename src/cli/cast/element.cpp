// Elements: from type names to convert(), and exact decimals.
#include "cli/cast/element.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

namespace vinci::cli {
namespace {

// Calls `body` with the C++ type as its template argument.
template <class Body>
decltype(auto) with_type(DType type, Body body) {
  switch (type) {
    case DType::kInt4: return body.template operator()<AscendC::int4b_t>();
    case DType::kInt8: return body.template operator()<int8_t>();
    case DType::kUint8: return body.template operator()<uint8_t>();
    case DType::kInt16: return body.template operator()<int16_t>();
    case DType::kUint16: return body.template operator()<uint16_t>();
    case DType::kHalf: return body.template operator()<half>();
    case DType::kBfloat16: return body.template operator()<bfloat16_t>();
    case DType::kInt32: return body.template operator()<int32_t>();
    case DType::kUint32: return body.template operator()<uint32_t>();
    case DType::kFloat: return body.template operator()<float>();
    default: return body.template operator()<int64_t>();
  }
}

template <class T>
Element element_of_lane(LaneOf<T> lane) {
  const DType type = dtype_of<T>;
  if constexpr (Format<T>::kIsFloat) {
    return {type, bits_of_lane<T>(lane)};
  } else {
    return {type, uint64_t(lane) & (~uint64_t{0} >> (64 - bits_of(type)))};
  }
}

template <class T>
LaneOf<T> lane_of(const Element& element) {
  if constexpr (Format<T>::kIsFloat) {
    return lane_of_bits<T>(uint32_t(element.bits));
  } else {
    return LaneOf<T>(Format<T>::wrapped(element.bits));
  }
}

template <class T>
TypeFacts make_facts() {
  using F = Format<T>;
  TypeFacts facts;
  facts.is_float = F::kIsFloat;
  if constexpr (F::kIsFloat) {
    facts.fraction_bits = F::kFractionBits;
    facts.least_unit = F::kLeastUnit;
    facts.most = number_of<T>(lane_of_bits<T>(F::kMost));
    facts.least = number_of<T>(lane_of_bits<T>(F::kSign | F::kMost));
  } else {
    facts.most.significand = F::kMost;
    facts.least.significand = F::kLeast;
    facts.least.negative = F::kLeast != 0;
  }
  return facts;
}

}  // namespace

const TypeFacts& facts_of(DType type) {
  return with_type(type, []<class T>() -> const TypeFacts& {
    static const TypeFacts facts = make_facts<T>();
    return facts;
  });
}

Number exact_value(const Element& element) {
  return with_type(element.type, [&]<class T>() { return number_of<T>(lane_of<T>(element)); });
}

Element element_of(const Number& given, DType type, Round mode) {
  Number x = given;
  // Beyond every type; float_of() wants exponents near those of its type.
  if (x.significand != 0 && x.exponent + int(std::bit_width(x.significand)) > 256) {
    x.significand = 1;
    x.exponent = 256;
  }
  return with_type(type, [&]<class T>() {
    if constexpr (Format<T>::kIsFloat) {
      return element_of_lane<T>(float_of<T>(x, mode, Overflow::kWrapOrInf));
    } else {
      return element_of_lane<T>(integer_of<T>(x, mode, Overflow::kSaturate));
    }
  });
}

Element converted(const Element& from, DType to, Round mode, Overflow overflow) {
  return with_type(from.type, [&]<class From>() {
    return with_type(to, [&]<class To>() {
      if constexpr (std::is_same_v<To, From> && !std::is_same_v<To, float>) {
        return from;
      } else {
        return element_of_lane<To>(convert<To, From>(lane_of<From>(from), mode, overflow));
      }
    });
  });
}

std::string decimal(const Number& x) {
  if (x.nan) return "nan";
  const std::string sign = x.negative ? "-" : "";
  if (x.infinite) return sign + "inf";
  if (x.significand == 0) return sign + "0";
  uint64_t significand = x.significand;
  int exponent = x.exponent;
  for (; exponent < 0 && significand % 2 == 0; ++exponent) significand /= 2;

  std::vector<int> digits;  // the last one first
  for (; significand != 0; significand /= 10) digits.push_back(int(significand % 10));
  // A half is five tenths: a multiplication by 5, and one more digit behind the point.
  const int factor = exponent < 0 ? 5 : 2;
  for (int i = 0; i < std::abs(exponent); ++i) {
    int carry = 0;
    for (int& digit : digits) {
      carry += digit * factor;
      digit = carry % 10;
      carry /= 10;
    }
    if (carry != 0) digits.push_back(carry);
  }
  const size_t behind = size_t(std::max(-exponent, 0));
  if (digits.size() <= behind) digits.resize(behind + 1);
  std::string text = sign;
  for (size_t i = digits.size(); i-- > 0;) {
    text += char('0' + digits[i]);
    if (i == behind && i != 0) text += '.';
  }
  return text;
}

std::string value_text(const Element& element) { return decimal(exact_value(element)); }

std::string bits_text(const Element& element) {
  return fmt::format("0x{:0{}X}", element.bits, (bits_of(element.type) + 3) / 4);
}

std::string fields_text(const Element& element) {
  std::string text = fmt::format("{:0{}b}", element.bits, bits_of(element.type));
  const TypeFacts& facts = facts_of(element.type);
  if (facts.is_float) {
    text.insert(text.size() - size_t(facts.fraction_bits), "|");
    text.insert(1, "|");
  }
  return text;
}

}  // namespace vinci::cli
