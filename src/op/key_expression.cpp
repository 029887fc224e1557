// By recursive descent: one level of precedence a call.
#include "op/key_expression.h"

#include <array>
#include <cctype>
#include <cstdlib>
#include <string>

namespace vinci::op {
namespace {

struct Infix {
  std::string_view text;
  int level;  // higher binds closer
};
// Longer ones first.
constexpr std::array<Infix, 18> kOperators{{{"||", 1},
                                               {"&&", 2},
                                               {"==", 6},
                                               {"!=", 6},
                                               {"<=", 7},
                                               {">=", 7},
                                               {"<<", 8},
                                               {">>", 8},
                                               {"|", 3},
                                               {"^", 4},
                                               {"&", 5},
                                               {"<", 7},
                                               {">", 7},
                                               {"+", 9},
                                               {"-", 9},
                                               {"*", 10},
                                               {"/", 10},
                                               {"%", 10}}};

class Parser {
 public:
  Parser(std::string_view text, uint64_t key) : text_(text), key_(key) {}

  std::optional<uint64_t> whole() {
    const auto value = above(0);
    skip_blanks();
    return text_.empty() ? value : std::nullopt;
  }

 private:
  using Value = std::optional<uint64_t>;

  void skip_blanks() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_[0]))) {
      text_.remove_prefix(1);
    }
  }
  bool take(std::string_view word) {
    skip_blanks();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  // Operators that bind closer than `level`.
  Value above(int level) {
    Value left = single();
    while (left) {
      skip_blanks();
      const Infix* found = nullptr;
      for (const Infix& each : kOperators) {
        if (text_.starts_with(each.text)) {
          found = &each;
          break;
        }
      }
      if (found == nullptr || found->level <= level) return left;
      text_.remove_prefix(found->text.size());
      const Value right = above(found->level);
      if (!right) return right;
      left = apply(found->text, *left, *right);
    }
    return left;
  }

  Value single() {
    if (take("(")) {
      const Value value = above(0);
      return take(")") ? value : std::nullopt;
    }
    if (take("!")) {
      const Value value = single();
      return value ? Value(*value == 0) : value;
    }
    if (take("~")) {
      const Value value = single();
      return value ? Value(~*value) : value;
    }
    if (take("TILING_KEY_VAR")) return key_;
    skip_blanks();
    const std::string rest(text_);
    char* end = nullptr;
    const uint64_t number = std::strtoull(rest.c_str(), &end, 0);
    size_t used = size_t(end - rest.c_str());
    if (used == 0 || !std::isdigit(static_cast<unsigned char>(rest[0]))) return std::nullopt;
    while (used < rest.size() && std::string_view("uUlL").find(rest[used]) != std::string::npos) {
      ++used;
    }
    text_.remove_prefix(used);
    return number;
  }

  static Value apply(std::string_view name, uint64_t a, uint64_t b) {
    if (name == "||") return a != 0 || b != 0;
    if (name == "&&") return a != 0 && b != 0;
    if (name == "|") return a | b;
    if (name == "^") return a ^ b;
    if (name == "&") return a & b;
    if (name == "==") return a == b;
    if (name == "!=") return a != b;
    if (name == "<") return a < b;
    if (name == ">") return a > b;
    if (name == "<=") return a <= b;
    if (name == ">=") return a >= b;
    if (name == "+") return a + b;
    if (name == "-") return a - b;
    if (name == "*") return a * b;
    if (name == "<<" && b < 64) return a << b;
    if (name == ">>" && b < 64) return a >> b;
    if (name == "/" && b != 0) return a / b;
    if (name == "%" && b != 0) return a % b;
    return std::nullopt;
  }

  std::string_view text_;
  const uint64_t key_;
};

}  // namespace

std::optional<uint64_t> value_of_key_expression(std::string_view text, uint64_t key) {
  return Parser(text, key).whole();
}

}  // namespace vinci::op
