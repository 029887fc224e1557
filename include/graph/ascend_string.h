// The ge:: namespace's text.
#pragma once

#include <cstddef>
#include <string>

#include "graph/ge_error_codes.h"
#include "vinci/op/text.h"

namespace ge {

class AscendString {
 public:
  AscendString() = default;
  AscendString(const char* text) : text_(text) {}  // NOLINT: as const char* is
  AscendString(const char* text, size_t length) : text_(std::string(text, length).c_str()) {}

  const char* GetString() const { return text_.c_str(); }
  size_t GetLength() const { return text_.size(); }
  size_t Find(const AscendString& part) const {
    return std::string(GetString()).find(part.GetString());
  }
  bool operator==(const AscendString& other) const { return text_ == other.text_; }
  bool operator!=(const AscendString& other) const { return !(text_ == other.text_); }
  bool operator<(const AscendString& other) const { return text_ < other.text_; }
  bool operator>(const AscendString& other) const { return other.text_ < text_; }

 private:
  vinci::op::Text text_;
};

}  // namespace ge
