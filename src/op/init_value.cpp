#include "op/init_value.h"

#include <algorithm>
#include <cstring>

#include "graph/types.h"
#include "op/names.h"
#include "vinci/float_bits.h"

namespace vinci::op {
namespace {

template <class T>
std::vector<uint8_t> bytes(T value) {
  std::vector<uint8_t> result(sizeof(value));
  std::memcpy(result.data(), &value, sizeof(value));
  return result;
}

// As JSON has it: a number, or one that JSON has none for.
double number_of(const nlohmann::json& value) {
  return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr)
                           : value.get<double>();
}

std::vector<uint8_t> bytes_as(int dtype, const nlohmann::json& value) {
  switch (dtype) {
    case ge::DT_FLOAT: return bytes(float(number_of(value)));
    case ge::DT_DOUBLE: return bytes(number_of(value));
    case ge::DT_FLOAT16: return bytes(half_of_float(float_of_double_odd(number_of(value))));
    case ge::DT_BF16: return bytes(bfloat16_of_float(float_of_double_odd(number_of(value))));
    default: break;
  }
  const auto integer = bytes(value.is_number_float()      ? int64_t(value.get<double>())
                             : value.is_number_unsigned() ? int64_t(value.get<uint64_t>())
                                                          : value.get<int64_t>());
  const int64_t size = std::clamp<int64_t>(bytes_of(1, dtype), 1, int64_t(integer.size()));
  return {integer.begin(), integer.begin() + size};
}

}  // namespace

std::vector<uint8_t> first_bytes(const Parameter& output, int dtype, int row) {
  const auto& values = output.init_values;
  if (values.empty()) return output.zeroed ? std::vector<uint8_t>(1) : std::vector<uint8_t>{};
  const size_t index = std::min(size_t(row), values.size() - 1);
  return bytes_as(dtype, values[index].at("value"));
}

}  // namespace vinci::op
