// Numbers as people write them.
#pragma once

#include <string>

#include "cli/cast/element.h"

namespace vinci::cli {

// What the reading takes, for messages and help.
inline constexpr const char* kNumberForms =
    "decimal (0.5, -1e-3), hexadecimal (0x1.8p-3), inf, -inf, nan, or the bits (bits:0x3C01, "
    "bits:0b11)";

struct ReadNumber {
  Element element;
  bool rounded = false;  // the type does not have the number that was written
};

// A float is the one nearest to the text, ties to even, infinity included. Throws Error (usage)
// that names the legal forms.
ReadNumber read_number(const std::string& text, DType type);

}  // namespace vinci::cli
