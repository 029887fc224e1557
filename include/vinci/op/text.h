// Characters with an own copy, over a plain vector, because std::string has two layouts.
#pragma once

#include <cstring>
#include <vector>

namespace vinci::op {

class Text {
 public:
  Text() = default;
  Text(const char* text) {  // NOLINT: as const char* is
    if (text != nullptr) characters_.assign(text, text + std::strlen(text) + 1);
  }

  const char* c_str() const { return characters_.empty() ? "" : characters_.data(); }
  size_t size() const { return characters_.empty() ? 0 : characters_.size() - 1; }
  bool empty() const { return size() == 0; }
  bool operator==(const Text& other) const { return std::strcmp(c_str(), other.c_str()) == 0; }
  bool operator<(const Text& other) const { return std::strcmp(c_str(), other.c_str()) < 0; }

 private:
  std::vector<char> characters_;
};

}  // namespace vinci::op
