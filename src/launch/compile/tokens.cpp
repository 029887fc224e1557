#include "launch/compile/tokens.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace vinci::launch {
namespace {

// The end of the literal that begins at `at`.
size_t end_of_literal(std::string_view text, size_t at) {
  const char quote = text[at];
  const bool raw = quote == '"' && at > 0 && text[at - 1] == 'R';
  if (raw) {
    const size_t open = text.find('(', at);
    if (open == text.npos) return text.size();
    const std::string close = fmt::format("){}\"", text.substr(at + 1, open - at - 1));
    const size_t found = text.find(close, open);
    return found == text.npos ? text.size() : found + close.size();
  }
  for (size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    }
  }
  return at + 1;
}

}  // namespace

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  bool line_begins = true;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\n' || std::isspace(static_cast<unsigned char>(c)) != 0) {
      line_begins |= c == '\n';
      ++at;
      continue;
    }
    if (c == '#' && line_begins) {  // a line marker
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    line_begins = false;
    size_t end = at + 1;
    if (is_name(c)) {
      // A digit separator belongs to its number.
      const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0;
      while (end < text.size() && (is_name(text[end]) || (number && text[end] == '\''))) ++end;
    } else if (c == '"' || c == '\'') {
      end = end_of_literal(text, at);
    }
    tokens.push_back({at, end});
    at = end;
  }
  return tokens;
}

}  // namespace vinci::launch
