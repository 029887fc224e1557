// Formats of printf as kernels use them.
#include "core/print_format.h"

#include <cstdio>

namespace vinci::print_format {
namespace {

using Kind = PrintValue::Kind;

template <class Argument>
std::string formatted(const std::string& directive, Argument argument) {
  const int length = std::snprintf(nullptr, 0, directive.c_str(), argument);
  if (length <= 0) return "";
  std::string text(size_t(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), directive.c_str(), argument);
  text.pop_back();
  return text;
}

double real_of(const PrintValue& value) {
  if (value.kind == Kind::kFloat) return value.real;
  return value.kind == Kind::kUnsigned ? double(uint64_t(value.number)) : double(value.number);
}

// A number's bits; with %u those that its type has.
int64_t number_of(const PrintValue& value, char letter) {
  if (value.kind == Kind::kFloat) return int64_t(value.real);
  if (letter == 'u' && value.bytes < 8) {
    return int64_t(uint64_t(value.number) & ((uint64_t{1} << (8 * value.bytes)) - 1));
  }
  return value.number;
}

// `flags`: the directive without its last letter and without what says a size.
std::string text_of_one(const std::string& flags, char letter, const PrintValue& value) {
  switch (letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o': return formatted(flags + "ll" + letter, (long long)(number_of(value, letter)));
    case 'c': return formatted(flags + "c", int(value.number));
    case 'p': return formatted(flags + "p", value.pointer);
    case 's':
      if (value.kind != Kind::kText || value.text == nullptr) return "(null)";
      return formatted(flags + "s", value.text);
    default: return formatted(flags + letter, real_of(value));
  }
}

}  // namespace

std::string text_of(std::string_view format, std::span<const PrintValue> values) {
  std::string text;
  size_t next = 0;
  while (!format.empty()) {
    const size_t percent = std::min(format.find('%'), format.size());
    text += format.substr(0, percent);
    format.remove_prefix(percent);
    if (format.starts_with("%%")) {
      text += '%';
      format.remove_prefix(2);
      continue;
    }
    const size_t end = format.find_first_of("diuxXocpsfFeEgGaA%", 1);
    if (end == format.npos || format[end] == '%' || next >= values.size()) {
      const size_t length = end == format.npos ? format.size() : end + (format[end] != '%');
      text += format.substr(0, length);
      format.remove_prefix(length);
      continue;
    }
    std::string flags;
    for (const char letter : format.substr(0, end)) {
      if (letter == '*' && next + 1 < values.size()) {
        flags += std::to_string(values[next++].number);
      } else if (letter != 'l' && letter != 'h' && letter != 'z' && letter != 'j') {
        flags += letter;
      }
    }
    text += text_of_one(flags, format[end], values[next++]);
    format.remove_prefix(end + 1);
  }
  return text;
}

}  // namespace vinci::print_format
