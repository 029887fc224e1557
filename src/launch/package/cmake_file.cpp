#include "launch/package/cmake_file.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "op/names.h"

namespace vinci::launch {
namespace {

struct Word {
  std::string text;
  bool is_quoted = false;
  bool is(std::string_view wanted) const { return !is_quoted && text == wanted; }
};

struct Command {
  std::string name;
  std::vector<Word> words;  // parentheses among them are words of their own
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<Command> commands() {
    std::vector<Command> all;
    while (skip_blanks(), at_ < text_.size()) {
      Word name = word();
      skip_blanks();
      if (at_ >= text_.size() || text_[at_] != '(') continue;
      all.push_back({op::lowered(name.text), arguments()});
    }
    return all;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        const bool is_bracket = text_.substr(at_).starts_with("#[[");
        const size_t end = text_.find(is_bracket ? "]]" : "\n", at_);
        at_ = end == text_.npos ? text_.size() : end + (is_bracket ? 2 : 1);
      } else if (is_blank(text_[at_])) {
        ++at_;
      } else {
        return;
      }
    }
  }

  Word word() {
    Word made;
    if (text_[at_] == '"') {
      made.is_quoted = true;
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
        made.text += text_[at_];
      }
      ++at_;
      return made;
    }
    if (text_[at_] == '(' || text_[at_] == ')') return {std::string(1, text_[at_++]), false};
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '(' && text_[at_] != ')' &&
           text_[at_] != '#') {
      made.text += text_[at_++];
    }
    return made;
  }

  // Behind the name of a command, up to the parenthesis that closes it.
  std::vector<Word> arguments() {
    std::vector<Word> words;
    ++at_;
    for (int depth = 1; skip_blanks(), at_ < text_.size();) {
      Word next = word();
      if (next.is("(")) ++depth;
      if (next.is(")") && --depth == 0) break;
      words.push_back(std::move(next));
    }
    return words;
  }

  std::string_view text_;
  size_t at_ = 0;
};

// With the variables that are known in place of their names.
std::string replaced(std::string text, const CMakeVariables& variables, bool empty_if_unknown) {
  constexpr int kMost = 100;  // one may name another
  size_t from = 0;
  for (int i = 0; i < kMost; ++i) {
    const size_t begin = text.find("${", from), end = text.find('}', begin);
    if (begin == text.npos || end == text.npos) break;
    const auto found = variables.find(text.substr(begin + 2, end - begin - 2));
    if (found != variables.end()) {
      text.replace(begin, end + 1 - begin, found->second);
    } else if (empty_if_unknown) {
      text.erase(begin, end + 1 - begin);
    } else {
      from = end + 1;
    }
  }
  return text;
}

bool is_true(const std::string& text) {
  static const std::vector<std::string> kTrue = {"1", "ON", "YES", "TRUE", "Y"};
  std::string upper = text;
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return std::ranges::find(kTrue, upper) != kTrue.end();
}

bool is_false(const std::string& text) {
  static const std::vector<std::string> kFalse = {"",      "0", "OFF",    "NO",
                                                  "FALSE", "N", "IGNORE", "NOTFOUND"};
  std::string upper = text;
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return std::ranges::find(kFalse, upper) != kFalse.end() || upper.ends_with("-NOTFOUND");
}

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == by) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// Alternatives that are plain text but for ^ and $.
bool matches(const std::string& text, std::string pattern) {
  if (pattern.starts_with("^(") && pattern.ends_with(")$")) {
    std::string all;
    for (const std::string& one : split(pattern.substr(2, pattern.size() - 4), '|')) {
      all += (all.empty() ? "^" : "|^") + one + "$";
    }
    pattern = all;
  }
  for (std::string one : split(pattern, '|')) {
    const bool from_start = one.starts_with('^'), to_end = one.ends_with('$');
    if (from_start) one.erase(0, 1);
    if (to_end && !one.empty()) one.pop_back();
    if (one.find_first_of("[](){}.*+?\\^$") != one.npos) continue;
    const bool holds = from_start && to_end ? text == one
                       : from_start         ? text.starts_with(one)
                       : to_end             ? text.ends_with(one)
                                            : text.find(one) != text.npos;
    if (holds) return true;
  }
  return false;
}

class Condition {
 public:
  Condition(std::span<const Word> words, const CMakeVariables& variables) : variables_(variables) {
    for (const Word& word : words) {
      words_.push_back({replaced(word.text, variables, true), word.is_quoted});
    }
  }

  bool holds() {
    const bool value = all();
    return value && at_ >= words_.size();
  }

 private:
  bool next_is(std::string_view wanted) const {
    return at_ < words_.size() && words_[at_].is(wanted);
  }

  // AND and OR in the order in which they stand.
  bool all() {
    bool value = one();
    while (next_is("AND") || next_is("OR")) {
      const bool is_and = words_[at_++].text == "AND";
      const bool other = one();
      value = is_and ? value && other : value || other;
    }
    return value;
  }

  bool one() {
    if (next_is("NOT")) {
      ++at_;
      return !one();
    }
    if (next_is("(")) {
      ++at_;
      const bool value = all();
      if (next_is(")")) ++at_;
      return value;
    }
    if (at_ + 1 < words_.size() && (next_is("DEFINED") || next_is("EXISTS"))) {
      const bool of_variable = next_is("DEFINED");
      const std::string& name = words_[at_ + 1].text;
      at_ += 2;
      std::error_code error;
      return of_variable ? variables_.contains(name) : std::filesystem::exists(name, error);
    }
    return comparison();
  }

  // What a word stands for: the value of the variable of that name, or itself.
  std::string value(const Word& word) const {
    const auto found = variables_.find(word.text);
    return word.is_quoted || found == variables_.end() ? word.text : found->second;
  }

  bool comparison() {
    if (at_ >= words_.size()) return false;
    const Word& left = words_[at_++];
    const bool ends = at_ >= words_.size() || next_is("AND") || next_is("OR") || next_is(")");
    if (ends) {
      if (is_true(left.text)) return true;
      if (left.is_quoted || is_false(left.text)) return false;
      return !is_false(variables_.contains(left.text) ? variables_.at(left.text) : "");
    }
    const std::string relation = words_[at_++].text;
    if (at_ >= words_.size()) return false;
    const Word& right = words_[at_++];
    if (relation == "STREQUAL" || relation == "EQUAL") return value(left) == value(right);
    if (relation == "MATCHES") return matches(value(left), right.text);
    if (relation == "IN_LIST") {
      const auto found = variables_.find(right.text);
      const auto list = split(found == variables_.end() ? "" : found->second, ';');
      return std::ranges::find(list, value(left)) != list.end();
    }
    return false;
  }

  const CMakeVariables& variables_;
  std::vector<Word> words_;
  size_t at_ = 0;
};

void set_variable(const CMakeCall& call, CMakeVariables& variables) {
  if (call.words.empty()) return;
  std::vector<std::string> values(call.words.begin() + 1, call.words.end());
  const auto cache = std::ranges::find(values, "CACHE");
  if (cache != values.end() && variables.contains(call.words[0])) return;
  values.erase(cache, values.end());
  if (!values.empty() && values.back() == "PARENT_SCOPE") values.pop_back();
  std::string& variable = variables[call.words[0]];
  variable.clear();
  for (const std::string& value : values) variable += (variable.empty() ? "" : ";") + value;
}

void change(const CMakeCall& call, CMakeVariables& variables) {
  const auto& words = call.words;
  if (call.name == "set") {
    set_variable(call, variables);
  } else if (call.name == "option" && !words.empty()) {
    variables.try_emplace(words[0], words.size() > 2 ? words[2] : "OFF");
  } else if (call.name == "list" && words.size() > 2 && words[0] == "APPEND") {
    std::string& variable = variables[words[1]];
    for (size_t i = 2; i < words.size(); ++i) variable += (variable.empty() ? "" : ";") + words[i];
  }
}

CMakeCall call_of(const Command& command, const CMakeVariables& variables) {
  CMakeCall call{command.name, {}};
  for (const Word& word : command.words) {
    const std::string text = replaced(word.text, variables, false);
    if (word.is_quoted) {
      call.words.push_back(text);
      continue;
    }
    for (const std::string& part : split(text, ';')) {
      if (!part.empty()) call.words.push_back(part);
    }
  }
  return call;
}

// An if() that is open: whether what stands there counts, and whether a branch has been taken.
struct Branch {
  bool counts, is_taken;
};

}  // namespace

std::vector<CMakeCall> cmake_calls(std::string_view text, CMakeVariables& variables) {
  std::vector<CMakeCall> calls;
  std::vector<Branch> open;
  int definitions = 0;  // of functions and macros that are open
  for (const Command& command : Reader(text).commands()) {
    const std::string& name = command.name;
    if (name == "function" || name == "macro") ++definitions;
    if (name == "endfunction" || name == "endmacro") --definitions;
    if (definitions > 0) continue;
    const auto counts = [&] { return std::ranges::all_of(open, &Branch::counts); };
    if (name == "if") {
      const bool holds = counts() && Condition(command.words, variables).holds();
      open.push_back({holds, holds});
    } else if ((name == "elseif" || name == "else") && !open.empty()) {
      Branch& branch = open.back();
      branch.counts =
          !branch.is_taken && (name == "else" || Condition(command.words, variables).holds());
      branch.is_taken = branch.is_taken || branch.counts;
    } else if (name == "endif" && !open.empty()) {
      open.pop_back();
    } else if (counts()) {
      calls.push_back(call_of(command, variables));
      change(calls.back(), variables);
    }
  }
  return calls;
}

}  // namespace vinci::launch
