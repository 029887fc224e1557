// Reading numbers: each digit of the text counts, and there is one rounding.
#include "cli/cast/read.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "cli/error.h"
#include "numeric/dtype.h"

namespace vinci::cli {
namespace {

// A magnitude as written: the digits as an integer, times 10^scale, or times 2^scale if
// hexadecimal.
struct Written {
  std::string digits;  // without zeros at the ends; empty: 0
  int64_t scale = 0;
};

int digit_value(char c, int base) {
  const int value = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : base;
  return value < base ? value : -1;
}

// "e-12", "p+3", or nothing. An exponent of more digits than any number needs is cut short.
std::optional<int64_t> parse_exponent(std::string_view text, char letter) {
  if (text.empty()) return 0;
  if ((text[0] | 0x20) != letter) return std::nullopt;
  text.remove_prefix(1);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  int64_t exponent = 0;
  for (const char c : text) {
    if (digit_value(c, 10) < 0) return std::nullopt;
    exponent = std::min<int64_t>(exponent * 10 + (c - '0'), 1'000'000'000);
  }
  return negative ? -exponent : exponent;
}

// Digits with or without a point, then perhaps an exponent.
std::optional<Written> parse(std::string_view text, int base) {
  Written written;
  const int per_digit = base == 16 ? 4 : 1;
  bool any = false, behind_point = false;
  size_t at = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !behind_point) {
      behind_point = true;
      continue;
    }
    if (digit_value(text[at], base) < 0) break;
    any = true;
    if (!written.digits.empty() || text[at] != '0') written.digits += text[at];
    if (behind_point) written.scale -= per_digit;
  }
  const auto exponent = parse_exponent(text.substr(at), base == 16 ? 'p' : 'e');
  if (!any || !exponent) return std::nullopt;
  written.scale += *exponent;
  while (written.digits.ends_with('0')) {
    written.digits.pop_back();
    written.scale += per_digit;
  }
  return written;
}

// Whether a decimal is less than another.
bool less(const Written& a, const Written& b) {
  if (a.digits.empty() || b.digits.empty()) return a.digits.empty() && !b.digits.empty();
  const int64_t a_place = int64_t(a.digits.size()) + a.scale;
  const int64_t b_place = int64_t(b.digits.size()) + b.scale;
  return a_place != b_place ? a_place < b_place : a.digits < b.digits;
}

Number number_of_double(double value) {
  Number x;
  x.significand = uint64_t(std::ldexp(std::frexp(value, &x.exponent), 53));
  x.exponent -= 53;
  return x;
}

// The magnitude, or the double next to it whose last digit is 1: both round to the same float.
Number number_of_decimal(const Written& written, const std::string& text) {
  const double nearest = std::strtod(text.c_str(), nullptr);
  if (std::isinf(nearest)) return {.significand = 1, .exponent = 1024};  // beyond every type
  const Number x = number_of_double(nearest);
  const Written found = *parse(decimal(x), 10);
  const bool too_large = less(written, found), too_small = less(found, written);
  if (!too_large && !too_small) return x;
  const uint64_t bits = std::bit_cast<uint64_t>(nearest) - (too_large ? 1 : 0);
  return number_of_double(std::bit_cast<double>(bits | 1));
}

// The magnitude, or 60 digits of it whose last one is 1 if more follow.
Number number_of_hexadecimal(const Written& written) {
  Number x;
  int64_t exponent = written.scale;
  for (const char c : written.digits) {
    const uint64_t digit = uint64_t(digit_value(c, 16));
    if (x.significand >> 56 == 0) {
      x.significand = x.significand * 16 + digit;
    } else {
      x.significand |= uint64_t(digit != 0);
      exponent += 4;
    }
  }
  x.exponent = int(std::clamp<int64_t>(exponent, -2000, 2000));
  return x;
}

std::optional<Number> parse_float(std::string_view text) {
  Number x;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "inf") {
    x.infinite = true;
  } else if (text == "nan" && !negative) {
    x.nan = true;
  } else if (text.starts_with("0x") || text.starts_with("0X")) {
    const auto written = parse(text.substr(2), 16);
    if (!written) return std::nullopt;
    x = number_of_hexadecimal(*written);
  } else {
    const auto written = parse(text, 10);
    if (!written) return std::nullopt;
    x = number_of_decimal(*written, std::string(text));
  }
  x.negative = negative;
  return x;
}

std::optional<uint64_t> parse_bits(std::string_view text, unsigned width) {
  const int base = text.starts_with("0x") || text.starts_with("0X")   ? 16
                   : text.starts_with("0b") || text.starts_with("0B") ? 2
                                                                      : 0;
  if (base == 0) return std::nullopt;
  uint64_t bits = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 2, end, bits, base);
  if (error != std::errc() || stop != end || bits > ~uint64_t{0} >> (64 - width)) {
    return std::nullopt;
  }
  return bits;
}

std::optional<Element> parse_integer(std::string_view text, DType type) {
  const TypeFacts& facts = facts_of(type);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  Number x;
  x.negative = value < 0;
  x.significand = x.negative ? 0 - uint64_t(value) : uint64_t(value);
  if (x.significand > (x.negative ? facts.least : facts.most).significand) return std::nullopt;
  return element_of(x, type, Round::kNone);
}

}  // namespace

ReadNumber read_number(const std::string& text, DType type) {
  const TypeFacts& facts = facts_of(type);
  const auto bad = [&](const std::string& legal) {
    return usage(fmt::format("{} is no number of {}; legal: {}", text.empty() ? "''" : text,
                             name_of(type), legal));
  };
  constexpr std::string_view kBits = "bits:";
  if (text.starts_with(kBits)) {
    const auto bits = parse_bits(std::string_view(text).substr(kBits.size()), bits_of(type));
    if (!bits) {
      throw bad(fmt::format("bits: and up to {} bits, as bits:0x1 or bits:0b1", bits_of(type)));
    }
    return {{type, *bits}, false};
  }
  if (!facts.is_float) {
    const auto element = parse_integer(text, type);
    if (!element) {
      throw bad(
          fmt::format("{}..{}, or the bits (bits:0x1)", decimal(facts.least), decimal(facts.most)));
    }
    return {*element, false};
  }
  const auto x = parse_float(text);
  if (!x) throw bad(kNumberForms);
  const Element element = element_of(*x, type, Round::kRint);
  return {element, decimal(*x) != value_text(element)};
}

}  // namespace vinci::cli
