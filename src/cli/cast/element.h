// One number of an element type that is known at run time, and its exact value in words.
#pragma once

#include <cstdint>
#include <string>

#include "numeric/convert.h"
#include "vinci/dtype.h"

namespace vinci::cli {

// The type is one of those that convert() takes: all up to int64.
struct Element {
  DType type = DType::kNone;
  uint64_t bits = 0;  // as many as the type has, the rest 0
};

struct TypeFacts {
  bool is_float = false;
  int fraction_bits = 0, least_unit = 0;  // of a float: as in FloatFormat
  Number most, least;                     // the ends of the range
};
const TypeFacts& facts_of(DType type);

Number exact_value(const Element& element);
// An integer saturates, a float follows IEEE 754. x may be of any size.
Element element_of(const Number& x, DType type, Round mode);
// As Cast does it. Two types, or float to float.
Element converted(const Element& from, DType to, Round mode, Overflow overflow);

// (-1)^negative * significand * 2^exponent without loss: "-0.0625"; inf, -inf, nan.
std::string decimal(const Number& x);
std::string value_text(const Element& element);
std::string bits_text(const Element& element);    // 0x3C01
std::string fields_text(const Element& element);  // 0|01111|0000000001, sign|exponent|fraction

}  // namespace vinci::cli
