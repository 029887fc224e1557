// Conversions of single numbers, on numeric/convert.h.
#include "tik/value.h"

#include "vinci/float_bits.h"

namespace vinci::tik {
namespace {

// Calls f with a null pointer to the type's C++ type.
template <class F>
auto with_type(DType type, F f) {
  switch (type) {
    case DType::kInt8: return f(static_cast<int8_t*>(nullptr));
    case DType::kUint8: return f(static_cast<uint8_t*>(nullptr));
    case DType::kInt16: return f(static_cast<int16_t*>(nullptr));
    case DType::kUint16: return f(static_cast<uint16_t*>(nullptr));
    case DType::kHalf: return f(static_cast<half*>(nullptr));
    case DType::kBfloat16: return f(static_cast<bfloat16_t*>(nullptr));
    case DType::kInt32: return f(static_cast<int32_t*>(nullptr));
    case DType::kUint32: return f(static_cast<uint32_t*>(nullptr));
    case DType::kFloat: return f(static_cast<float*>(nullptr));
    case DType::kUint64: return f(static_cast<uint64_t*>(nullptr));
    default: return f(static_cast<int64_t*>(nullptr));
  }
}

template <class T>
LaneOf<T> lane_of(uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) {
    return float_of_bits(uint32_t(bits));
  } else {
    return LaneOf<T>(bits);
  }
}

template <class T>
uint64_t bits_of_result(LaneOf<T> lane) {
  if constexpr (Format<T>::kIsFloat) {
    return bits_of_lane<T>(lane);
  } else {
    return uint64_t(lane);
  }
}

}  // namespace

Value integer(DType type, uint64_t bits) {
  return with_type(type, [&]<class T>(T*) -> Value {
    return {type, bits_of_result<T>(lane_of<T>(bits))};
  });
}

float float_of(const Value& value) {
  const Value wide = convert(value, DType::kFloat, Round::kRint);
  return float_of_bits(uint32_t(wide.bits));
}

Value value_of(DType type, float number) {
  if (number != number) number = __builtin_nanf("");  // hosts have others: of 0 / 0, say
  return convert({DType::kFloat, bits_of_float(number)}, type, Round::kRint);
}

Value convert(const Value& value, DType to, Round mode, Overflow overflow) {
  if (value.type == to) return value;
  if (!is_float(to) && !is_float(value.type)) return integer(to, value.bits);
  // Floats are rounded to nearest where the mode says nothing about them.
  const Round rounds = is_float(to) && mode == Round::kTrunc ? Round::kRint : mode;
  const Number number =
      with_type(value.type, [&]<class T>(T*) { return number_of<T>(lane_of<T>(value.bits)); });
  return with_type(to, [&]<class T>(T*) -> Value {
    if constexpr (Format<T>::kIsFloat) {
      return {to, bits_of_result<T>(vinci::float_of<T>(number, rounds, overflow))};
    } else {
      return {to, bits_of_result<T>(integer_of<T>(number, rounds, overflow))};
    }
  });
}

int64_t to_int64(const Value& value) { return convert(value, DType::kInt64).integer(); }

bool is_true(const Value& value) {
  if (!is_float(value.type)) return value.bits != 0;
  return float_of(value) != 0;
}

bool lies_within(const Value& value, int64_t least, int64_t most) {
  if (value.is_unsigned_64() && value.integer() < 0) return false;  // 2^63 or more
  const int64_t number = to_int64(value);
  return number >= least && number <= most;
}

std::string text_of(const Value& integer) {
  return integer.is_unsigned_64() ? std::to_string(integer.bits)
                                  : std::to_string(to_int64(integer));
}

}  // namespace vinci::tik
