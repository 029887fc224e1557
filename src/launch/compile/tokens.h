// Preprocessed C++ as tokens.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace vinci::launch {

// Of a name or a number.
bool is_name(char c);

// A name or number, a literal, or one character of anything else; line markers are none.
struct Token {
  size_t begin, end;
};

std::vector<Token> tokens_of(std::string_view text);

}  // namespace vinci::launch
