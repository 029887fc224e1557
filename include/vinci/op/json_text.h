// JSON written by host libraries: over plain vectors, because std::string has two layouts.
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace vinci::op {

class JsonText {
 public:
  // Objects and arrays: open('{'), then key() and values, then close('}').
  JsonText& open(char bracket) {
    comma();
    text_.push_back(bracket);
    first_ = true;
    return *this;
  }
  JsonText& close(char bracket) {
    text_.push_back(bracket);
    first_ = false;
    return *this;
  }
  JsonText& key(const char* name) {
    value(name);
    text_.push_back(':');
    first_ = true;
    return *this;
  }

  JsonText& value(const char* text) {
    comma();
    text_.push_back('"');
    for (const char* c = text; *c != '\0'; ++c) add_character(*c);
    text_.push_back('"');
    return *this;
  }
  JsonText& value_with_suffix(const char* text, const char* suffix) {
    value(text);
    text_.pop_back();
    for (const char* c = suffix; *c != '\0'; ++c) add_character(*c);
    text_.push_back('"');
    return *this;
  }
  JsonText& value(bool truth) { return raw(truth ? "true" : "false"); }
  JsonText& value(int64_t number) { return number_as("%" PRId64, number); }
  JsonText& value(int number) { return value(int64_t{number}); }
  JsonText& value(uint32_t number) { return value(int64_t{number}); }
  JsonText& value(uint64_t number) { return number_as("%" PRIu64, number); }
  // What JSON has no number for is a string: "inf", "-inf", "nan".
  JsonText& value(double number) {
    if (number != number) return value("nan");
    if (number - number != 0) return value(number > 0 ? "inf" : "-inf");
    return number_as("%.17g", number);
  }
  // With as few digits as give this float again.
  JsonText& value(float number) {
    if (number - number != 0) return value(double{number});
    char text[32];
    for (int digits = 6; digits <= 9; ++digits) {
      std::snprintf(text, sizeof(text), "%.*g", digits, double{number});
      if (std::strtof(text, nullptr) == number) break;
    }
    return raw(text);
  }
  JsonText& value(const std::vector<bool>& list) {
    open('[');
    for (const bool one : list) value(one);
    return close(']');
  }
  template <typename T>
  JsonText& value(const std::vector<T>& list) {
    open('[');
    for (const T& one : list) value(one);
    return close(']');
  }

  // Text that is JSON already.
  JsonText& raw(const char* json) {
    comma();
    text_.insert(text_.end(), json, json + std::strlen(json));
    return *this;
  }
  template <typename T>
  JsonText& member(const char* name, const T& one) {
    return key(name).value(one);
  }
  JsonText& member(const char* name, const char* text) { return key(name).value(text); }

  const char* text() {
    text_.push_back('\0');
    text_.pop_back();
    return text_.data();
  }

 private:
  void comma() {
    if (!first_) text_.push_back(',');
    first_ = false;
  }
  template <typename T>
  JsonText& number_as(const char* format, T number) {
    char buffer[40];
    std::snprintf(buffer, sizeof(buffer), format, number);
    return raw(buffer);
  }
  void add_character(char c) {
    if (c == '"' || c == '\\') text_.push_back('\\');
    if (static_cast<unsigned char>(c) >= 0x20) {
      text_.push_back(c);
      return;
    }
    char escaped[8];
    std::snprintf(escaped, sizeof(escaped), "\\u%04x", static_cast<unsigned>(c));
    text_.insert(text_.end(), escaped, escaped + 6);
  }

  std::vector<char> text_;
  bool first_ = true;
};

}  // namespace vinci::op
