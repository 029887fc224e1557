// Parsing, checking and passing kernel arguments.
#include "cli/argument.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "cli/error.h"
#include "cli/npy.h"
#include "numeric/dtype.h"
#include "vinci/float_bits.h"

namespace vinci::cli {
namespace {

using launch::Kernel;
using launch::Parameter;

constexpr const char* kForms =
    "in:FILE.npy[:DTYPE[:SHAPE]], out:FILE.npy:DTYPE:SHAPE, "
    "inout:IN.npy:OUT.npy[:DTYPE], "
    "zeros:DTYPE:SHAPE, null, value:DTYPE:NUMBER";

DType parse_dtype(const std::string& text, const std::string& argument) {
  if (const auto dtype = dtype_named(text)) return *dtype;
  throw usage(fmt::format("{}: {} is no DTYPE; legal: {}", argument, text, all_dtype_names()));
}

bool is_float(DType dtype) {
  return dtype == DType::kHalf || dtype == DType::kBfloat16 || dtype == DType::kFloat;
}

// The bits of a number as `dtype` holds it.
uint64_t parse_value(DType dtype, const std::string& text, const std::string& argument) {
  const auto bad = [&](const std::string& legal) {
    return usage(fmt::format("{}: {} is not legal for {}; legal: {}", argument, text,
                             name_of(dtype), legal));
  };
  const char* end = text.data() + text.size();
  if (is_float(dtype)) {
    char* stop = nullptr;
    const double number = std::strtod(text.c_str(), &stop);
    if (text.empty() || std::isspace(static_cast<unsigned char>(text[0])) || stop != end) {
      throw bad("a number");
    }
    if (dtype == DType::kFloat) return bits_of_float(float(number));
    const float odd = float_of_double_odd(number);
    return dtype == DType::kHalf ? half_of_float(odd) : bfloat16_of_float(odd);
  }
  const unsigned bits = bits_of(dtype);
  if (dtype == DType::kUint8 || dtype == DType::kUint16 || dtype == DType::kUint32 ||
      dtype == DType::kUint64) {
    const uint64_t most = ~uint64_t{0} >> (64 - bits);
    uint64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || number > most) throw bad(fmt::format("0..{}", most));
    return number;
  }
  const int64_t most = INT64_MAX >> (64 - bits);
  int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || number > most || number < -most - 1) {
    throw bad(fmt::format("{}..{}", -most - 1, most));
  }
  return uint64_t(number);
}

void check_kind(const Argument& argument, const Parameter& parameter) {
  const bool is_value = argument.kind == Argument::Kind::kValue;
  const auto wrong = [&](const std::string& legal) {
    return usage(fmt::format("{} does not fit parameter {} {}; legal: {}", argument.text,
                             parameter.type, parameter.name, legal));
  };
  switch (parameter.kind) {
    case Parameter::Kind::kPointer:
      if (is_value) throw wrong("a buffer (in:, out:, inout:, zeros:), null");
      return;
    case Parameter::Kind::kStruct:
      if (argument.kind == Argument::Kind::kIn) return;
      throw wrong(fmt::format("in:FILE.npy with the {} bytes of the struct", parameter.bytes));
    case Parameter::Kind::kDouble: throw wrong("no DTYPE: the AI Core has no double");
    case Parameter::Kind::kFloat:
      if (!is_value || argument.dtype != DType::kFloat) throw wrong("value:float:NUMBER");
      return;
    case Parameter::Kind::kInteger:
      if (parameter.dtype != DType::kNone) {
        if (!is_value || argument.dtype != parameter.dtype) {
          throw wrong(fmt::format("value:{}:NUMBER", name_of(parameter.dtype)));
        }
        return;
      }
      if (!is_value || bits_of(argument.dtype) != parameter.bytes * 8 || is_float(argument.dtype)) {
        throw wrong(fmt::format("value: with a DTYPE of {} bits", parameter.bytes * 8));
      }
      return;
  }
}

void* allocate(Device& device, uint64_t bytes, const std::string& name, const std::string& text) {
  try {
    return device.allocate(bytes, name);
  } catch (const std::bad_alloc&) {
    throw usage(fmt::format("{}: {} bytes of memory are not to be had", text, bytes));
  }
}

// The type and shape that the argument says, over the file's own: the same bytes, read anew.
void reinterpret(const Argument& argument, Array& array) {
  const DType wanted = argument.dtype;
  if (wanted == DType::kNone) return;
  const auto wrong = [&](const std::string& why) {
    return usage(fmt::format("{}: {}", argument.text, why));
  };
  const std::string held = fmt::format("the file holds {}", name_of(array.dtype));
  if (wanted == DType::kInt4) {
    if (bits_of(array.dtype) != 8) throw wrong("int4 comes in bytes of two, " + held);
    if (array.shape.empty()) array.shape.push_back(1);
    array.shape.back() *= 2;
  } else if (bits_of(wanted) != bits_of(array.dtype)) {
    throw wrong(fmt::format("{}, which is not {} bits wide", held, bits_of(wanted)));
  }
  array.dtype = wanted;
  if (argument.shape.empty()) return;
  array.shape = argument.shape;
  const uint64_t bytes = bytes_of(wanted, array.elements());
  if (bytes != array.data.size()) {
    throw wrong(fmt::format("{} of {} are {} bytes, the file holds {}", shape_text(array.shape),
                            name_of(wanted), bytes, array.data.size()));
  }
}

void fill(Bound& bound, Device& device, const std::string& name) {
  const Argument& argument = bound.argument;
  if (argument.kind == Argument::Kind::kIn || argument.kind == Argument::Kind::kInOut) {
    const Array array = read_input(argument);
    bound.dtype = array.dtype;
    bound.shape = array.shape;
    bound.buffer = allocate(device, array.data.size(), name, argument.text);
    std::ranges::copy(array.data, static_cast<uint8_t*>(bound.buffer));
    return;
  }
  bound.dtype = argument.dtype;
  bound.shape = argument.shape;
  uint64_t elements = 1;
  for (const uint64_t size : bound.shape) elements *= size;
  const uint64_t bytes = bytes_of(bound.dtype, elements);
  bound.buffer = allocate(device, bytes, name, argument.text);
  if (argument.kind == Argument::Kind::kZeros) {
    std::memset(bound.buffer, 0, bytes);
  } else {
    device.follow(bound.buffer);
  }
}

// The bytes of a struct that goes by value.
launch::Value struct_value(const Argument& argument, const Parameter& parameter) {
  Array array = read_input(argument);
  if (array.data.size() == parameter.bytes) return std::move(array.data);
  throw usage(fmt::format("{}: the file holds {} bytes, and parameter {} {} has {}", argument.text,
                          array.data.size(), parameter.type, parameter.name, parameter.bytes));
}

}  // namespace

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  size_t start = 0;
  while (true) {
    const size_t colon = text.find(':', start);
    parts.push_back(text.substr(start, colon - start));
    if (colon == std::string::npos) return parts;
    start = colon + 1;
  }
}

std::vector<uint64_t> parse_shape(const std::string& text, const std::string& argument) {
  std::vector<uint64_t> shape;
  uint64_t elements = 1;
  const char* at = text.data();
  const char* end = at + text.size();
  while (true) {
    uint64_t size = 0;
    const auto [next, error] = std::from_chars(at, end, size);
    const bool overflow = __builtin_mul_overflow(elements, size, &elements);
    if (error != std::errc() || overflow || elements > 1ull << 40 ||
        (next != end && *next != 'x')) {
      throw usage(
          fmt::format("{}: {} is no SHAPE; legal: sizes joined by x, as 16x128", argument, text));
    }
    shape.push_back(size);
    if (next == end) return shape;
    at = next + 1;
  }
}

Argument parse_argument(const std::string& spec, const std::string& said) {
  const auto parts = split(spec);
  Argument argument;
  argument.text = said.empty() ? "--arg " + spec : said;
  const std::string& text = argument.text;
  const auto wrong = [&] {
    return usage(fmt::format("{} is not understood; legal: {}", text, kForms));
  };
  const std::string& kind = parts[0];
  if (kind == "in" && parts.size() >= 2 && parts.size() <= 4) {
    argument.kind = Argument::Kind::kIn;
    argument.input = parts[1];
    if (parts.size() > 2) argument.dtype = parse_dtype(parts[2], text);
    if (parts.size() > 3) argument.shape = parse_shape(parts[3], text);
  } else if (kind == "out" && parts.size() == 4) {
    argument.kind = Argument::Kind::kOut;
    argument.output = parts[1];
    argument.dtype = parse_dtype(parts[2], text);
    argument.shape = parse_shape(parts[3], text);
  } else if (kind == "inout" && (parts.size() == 3 || parts.size() == 4)) {
    argument.kind = Argument::Kind::kInOut;
    argument.input = parts[1];
    argument.output = parts[2];
    if (parts.size() == 4) argument.dtype = parse_dtype(parts[3], text);
  } else if (kind == "zeros" && parts.size() == 3) {
    argument.kind = Argument::Kind::kZeros;
    argument.dtype = parse_dtype(parts[1], text);
    argument.shape = parse_shape(parts[2], text);
  } else if (kind == "null" && parts.size() == 1) {
    argument.kind = Argument::Kind::kNull;
  } else if (kind == "value" && parts.size() == 3) {
    argument.kind = Argument::Kind::kValue;
    argument.dtype = parse_dtype(parts[1], text);
    argument.number = parts[2];
  } else {
    throw wrong();
  }
  return argument;
}

Array read_input(const Argument& argument) {
  Array array = read_npy(argument.input);
  reinterpret(argument, array);
  return array;
}

std::vector<Bound> bind_arguments(const std::vector<Argument>& arguments, const Kernel& kernel,
                                  Device& device) {
  launch::check_count(kernel, arguments.size(), " --arg");
  std::vector<Bound> bound;
  for (size_t i = 0; i < arguments.size(); ++i) {
    check_kind(arguments[i], kernel.parameters[i]);
    Bound next{arguments[i], arguments[i].dtype, {}, nullptr, {}};
    const Parameter& parameter = kernel.parameters[i];
    if (next.argument.kind == Argument::Kind::kValue) {
      next.value = launch::number_value(
          parameter, parse_value(next.dtype, next.argument.number, next.argument.text));
    } else if (parameter.kind == Parameter::Kind::kStruct) {
      next.value = struct_value(next.argument, parameter);
    } else {
      if (next.argument.kind != Argument::Kind::kNull) fill(next, device, parameter.name);
      next.value = launch::address_value(next.buffer);
    }
    bound.push_back(std::move(next));
  }
  return bound;
}

}  // namespace vinci::cli
