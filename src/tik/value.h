// A number of a TIK script while it runs: its type and its bits.
#pragma once

#include <cstdint>
#include <string>

#include "numeric/convert.h"
#include "vinci/dtype.h"

namespace vinci::tik {

// The low bits are the number's, as in memory; above them an integer's sign, or zeros. A bool is a
// uint8 of 0 or 1.
struct Value {
  DType type = DType::kInt64;
  uint64_t bits = 0;

  // Of an integer.
  int64_t integer() const { return int64_t(bits); }
  bool is_unsigned_64() const { return type == DType::kUint64; }
};

constexpr bool is_float(DType type) {
  return type == DType::kHalf || type == DType::kBfloat16 || type == DType::kFloat;
}

// An integer of a type, from the low bits of `bits`.
Value integer(DType type, uint64_t bits);
inline Value truth(bool yes) { return {DType::kUint8, uint64_t(yes)}; }

// half, bfloat16 and float as float, and back, rounded to nearest even.
float float_of(const Value& value);
Value value_of(DType type, float number);

// Any type to any other. Without a mode of its own: floats towards zero to integers.
Value convert(const Value& value, DType to, Round mode = Round::kTrunc,
              Overflow overflow = Overflow::kWrapOrInf);
// By value, for offsets, counts and strides.
int64_t to_int64(const Value& value);
bool is_true(const Value& value);
// Of an integer; one of uint64 may be above all int64.
bool lies_within(const Value& value, int64_t least, int64_t most);
std::string text_of(const Value& integer);

}  // namespace vinci::tik
