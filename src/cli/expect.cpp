// Comparing element by element.
#include "cli/expect.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/error.h"
#include "cli/npy.h"
#include "numeric/dtype.h"
#include "vinci/float_bits.h"

namespace vinci::cli {
namespace {

double tolerance(const std::string& text, size_t at, const std::string& whole) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str() + at, &end);
  if (end == text.c_str() + at || *end != '\0' || !(value >= 0)) {
    throw usage(fmt::format("--expect {}: {} is no tolerance", whole, text));
  }
  return value;
}

template <class T>
T load(const void* data, uint64_t index) {
  T value;
  std::memcpy(&value, static_cast<const uint8_t*>(data) + index * sizeof(T), sizeof(T));
  return value;
}

// An element as a number; 64-bit integers need more than a double holds.
long double element(DType dtype, const void* data, uint64_t index) {
  switch (dtype) {
    case DType::kInt4: {
      const auto pair = load<uint8_t>(data, index / 2);
      return (((index % 2 ? pair >> 4 : pair) & 15) ^ 8) - 8;
    }
    case DType::kInt8: return load<int8_t>(data, index);
    case DType::kUint8: return load<uint8_t>(data, index);
    case DType::kInt16: return load<int16_t>(data, index);
    case DType::kUint16: return load<uint16_t>(data, index);
    case DType::kHalf: return float_of_half(load<uint16_t>(data, index));
    case DType::kBfloat16: return float_of_bfloat16(load<uint16_t>(data, index));
    case DType::kInt32: return load<int32_t>(data, index);
    case DType::kUint32: return load<uint32_t>(data, index);
    case DType::kFloat: return load<float>(data, index);
    case DType::kInt64: return load<int64_t>(data, index);
    case DType::kUint64: return load<uint64_t>(data, index);
    case DType::kNone: break;
  }
  return 0;
}

std::string number_text(DType dtype, long double number) {
  const bool integer = dtype != DType::kHalf && dtype != DType::kBfloat16 && dtype != DType::kFloat;
  return integer ? fmt::format("{:.0f}", number) : fmt::format("{}", double(number));
}

bool close(long double got, long double wanted, const Expectation& expectation) {
  if (std::isnan(got) || std::isnan(wanted)) return std::isnan(got) && std::isnan(wanted);
  if (got == wanted) return true;
  if (std::isinf(got) || std::isinf(wanted)) return false;
  return std::fabs(got - wanted) <= expectation.atol + expectation.rtol * std::fabs(wanted);
}

// .npy files hold bfloat16 as 16-bit words and int4 as bytes of two.
std::string shape_problem(const Array& golden, DType dtype, const std::vector<uint64_t>& shape) {
  uint64_t elements = 1;
  for (const uint64_t size : shape) elements *= size;
  if (dtype == DType::kInt4) {
    return golden.data.size() == bytes_of(dtype, elements) ? "" : "another number of bytes";
  }
  if (bits_of(golden.dtype) != bits_of(dtype) ||
      (dtype != DType::kBfloat16 && golden.dtype != dtype)) {
    return fmt::format("dtype {} where the output is {}", name_of(golden.dtype), name_of(dtype));
  }
  if (golden.shape != shape) {
    return fmt::format("shape {} where the output is {}", shape_text(golden.shape),
                       shape_text(shape));
  }
  return "";
}

}  // namespace

Expectation parse_expectation(const std::string& text) {
  Expectation expectation;
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw usage(
        fmt::format("--expect {} is not understood; legal: OUT.npy=GOLDEN.npy[:rtol=R]"
                    "[:atol=A]",
                    text));
  }
  expectation.output = text.substr(0, equals);
  std::string rest = text.substr(equals + 1);
  for (size_t colon; (colon = rest.rfind(':')) != std::string::npos; rest.resize(colon)) {
    const std::string option = rest.substr(colon + 1);
    if (option.starts_with("rtol=")) {
      expectation.rtol = tolerance(option, 5, text);
    } else if (option.starts_with("atol=")) {
      expectation.atol = tolerance(option, 5, text);
    } else {
      break;
    }
  }
  expectation.golden = rest;
  if (rest.empty()) throw usage(fmt::format("--expect {}: the golden file is missing", text));
  return expectation;
}

Comparison compare(const Expectation& expectation, DType dtype, const std::vector<uint64_t>& shape,
                   const void* data) {
  Comparison result;
  Array golden;
  try {
    golden = read_npy(expectation.golden);
  } catch (const Error& error) {
    result.problem = error.what();
    return result;
  }
  if (const std::string problem = shape_problem(golden, dtype, shape); !problem.empty()) {
    result.problem = fmt::format("{} has {}", expectation.golden, problem);
    return result;
  }
  result.comparable = true;
  result.elements = 1;
  for (const uint64_t size : shape) result.elements *= size;
  for (uint64_t i = 0; i < result.elements; ++i) {
    const long double got = element(dtype, data, i);
    const long double wanted = element(dtype, golden.data.data(), i);
    const double distance = double(std::fabs(got - wanted));
    if (got != wanted && distance > result.largest) result.largest = distance;
    if (close(got, wanted, expectation)) continue;
    if (result.different++ == 0) {
      result.first = i;
      result.got = number_text(dtype, got);
      result.wanted = number_text(dtype, wanted);
    }
  }
  return result;
}

Difference difference_at(DType dtype, const void* wanted, const void* got, uint64_t byte) {
  const auto low = [&](const void* data) { return load<uint8_t>(data, byte) & 15; };
  Difference difference;
  difference.element = byte * 8 / bits_of(dtype);
  if (dtype == DType::kInt4 && low(wanted) == low(got)) ++difference.element;
  const auto text = [&](const void* data) {
    return number_text(dtype, element(dtype, data, difference.element));
  };
  difference.got = text(got);
  difference.wanted = text(wanted);
  if (difference.got != difference.wanted) return difference;
  const auto bits = [&](const void* data) {  // of a NaN
    const bool is_float = dtype == DType::kFloat;
    return fmt::format(" ({:#x})", is_float ? load<uint32_t>(data, difference.element)
                                            : load<uint16_t>(data, difference.element));
  };
  difference.got += bits(got);
  difference.wanted += bits(wanted);
  return difference;
}

std::string index_text(uint64_t flat, const std::vector<uint64_t>& shape) {
  std::vector<uint64_t> index;
  for (size_t i = shape.size(); i-- > 0;) {
    index.push_back(flat % shape[i]);
    flat /= shape[i];
  }
  std::ranges::reverse(index);
  return fmt::format("[{}]", fmt::join(index, ", "));
}

}  // namespace vinci::cli
