// Looking around in the tokens of a source.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "launch/compile/tokens.h"

namespace vinci::launch {

class Source {
 public:
  explicit Source(std::string_view text) : text_(text), tokens_(tokens_of(text)) {}

  size_t size() const { return tokens_.size(); }
  const Token& token(size_t at) const { return tokens_[at]; }
  std::string_view word(size_t at) const { return text(at, at + 1); }
  // From the first of these tokens to before the last.
  std::string_view text(size_t begin, size_t end) const {
    if (begin >= end || end > size()) return "";
    return text_.substr(tokens_[begin].begin, tokens_[end - 1].end - tokens_[begin].begin);
  }
  bool is(size_t at, char c) const {
    return at < size() && tokens_[at].end == tokens_[at].begin + 1 && text_[tokens_[at].begin] == c;
  }
  bool is_name(size_t at) const { return at < size() && launch::is_name(word(at)[0]); }
  // Three of them without a blank in between.
  bool is_angles(size_t at, char c) const {
    return is(at, c) && is(at + 1, c) && is(at + 2, c) &&
           tokens_[at + 2].end == tokens_[at].begin + 3;
  }
  bool opens(size_t at) const { return is(at, '(') || is(at, '[') || is(at, '{'); }
  bool closes(size_t at) const { return is(at, ')') || is(at, ']') || is(at, '}'); }

  // Behind the bracket that closes the one at `at`; nothing: none does.
  std::optional<size_t> behind_brackets(size_t at) const {
    int depth = 0;
    for (; at < size(); ++at) {
      depth += opens(at) - closes(at);
      if (depth == 0) return at + 1;
    }
    return std::nullopt;
  }
  // The < of the template arguments that end with the > before `end`.
  std::optional<size_t> begin_of_angles(size_t end) const {
    int angles = 0, brackets = 0;
    for (size_t at = end; at-- > 0;) {
      brackets += closes(at) - opens(at);
      if (brackets == 0) angles += is(at, '>') - is(at, '<');
      if (brackets == 0 && angles == 0) return at;
    }
    return std::nullopt;
  }

 private:
  const std::string_view text_;
  const std::vector<Token> tokens_;
};

inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, word) != list.end();
}

}  // namespace vinci::launch
