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
  explicit Source(std::string_view text)
      : text_(text), tokens_(tokens_of(text)), partners_(tokens_.size()) {
    std::vector<size_t> open;
    for (size_t at = 0; at < size(); ++at) {
      partners_[at] = at;
      if (opens(at)) open.push_back(at);
      if (!closes(at) || open.empty()) continue;
      partners_[at] = open.back();
      partners_[open.back()] = at;
      open.pop_back();
    }
  }

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
    return at < size() && partners_[at] > at ? std::optional(partners_[at] + 1) : std::nullopt;
  }
  // The bracket that the one at `at` closes; itself if there is none.
  size_t begin_of_brackets(size_t at) const { return partners_[at]; }
  // The < of the template arguments that end with the > before `end`.
  std::optional<size_t> begin_of_angles(size_t end) const {
    int angles = 0;
    for (size_t at = end; at > 0 && end - at < kMostArguments;) {
      --at;
      if (opens(at)) return std::nullopt;
      if (closes(at)) at = begin_of_brackets(at);
      angles += is(at, '>') - is(at, '<');
      if (angles == 0) return at;
    }
    return std::nullopt;
  }
  // Behind the > of the template arguments that begin with the < at `at`.
  std::optional<size_t> behind_angles(size_t at) const {
    int angles = 0;
    for (const size_t end = std::min(size(), at + kMostArguments); at < end; ++at) {
      if (closes(at)) return std::nullopt;
      if (opens(at)) at = std::max(at, partners_[at]);
      angles += is(at, '<') - is(at, '>');
      if (angles == 0) return at + 1;
    }
    return std::nullopt;
  }

 private:
  // Tokens of template arguments: in a text of nothing but brackets, each of which is looked for,
  // who looks ends.
  static constexpr size_t kMostArguments = 10000;

  const std::string_view text_;
  const std::vector<Token> tokens_;
  std::vector<size_t> partners_;  // of brackets; of what has none, itself
};

inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, word) != list.end();
}

}  // namespace vinci::launch
