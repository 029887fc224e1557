#include "op/kernel_source.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "op/key_expression.h"
#include "op/names.h"

namespace vinci::op {
namespace {

namespace fs = std::filesystem;

// Their first argument is a struct.
constexpr std::string_view kReadingMacros[] = {
    "GET_TILING_DATA_WITH_STRUCT", "GET_TILING_DATA_PTR_WITH_STRUCT", "GET_TILING_DATA_MEMBER"};

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Comments become blanks.
std::string without_comments(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    const std::string_view two = std::string_view(text).substr(at, 2);
    if (two == "//") {
      end = std::min(text.find('\n', at), text.size());
      out += ' ';
    } else if (two == "/*") {
      end = text.find("*/", at + 2);
      end = end == std::string::npos ? text.size() : end + 2;
      out += ' ';
    } else {
      if (text[at] == '"') {
        while (end < text.size() && text[end] != '"' && text[end] != '\n') {
          end += text[end] == '\\' ? 2 : 1;
        }
        end = std::min(end + 1, text.size());
      }
      out.append(text, at, end - at);
    }
    at = end;
  }
  return out;
}

// A file and what it includes in quotes, each once.
void add_file(const fs::path& file, const std::vector<std::string>& folders,
              std::set<fs::path>& seen, std::string& text) {
  std::error_code error;
  if (!seen.insert(fs::weakly_canonical(file, error)).second) return;
  const std::string own = without_comments(content_of(file));
  text += own + "\n";
  for (size_t at = 0; (at = own.find("#include", at)) != std::string::npos; ++at) {
    const size_t open = own.find_first_not_of(" \t", at + 8);
    if (open == std::string::npos || own[open] != '"') continue;
    const size_t close = own.find_first_of("\"\n", open + 1);
    if (close == std::string::npos) continue;
    const std::string name = own.substr(open + 1, close - open - 1);
    std::vector<fs::path> places{file.parent_path()};
    places.insert(places.end(), folders.begin(), folders.end());
    for (const fs::path& place : places) {
      if (!fs::is_regular_file(place / name, error)) continue;
      add_file(place / name, folders, seen, text);
      break;
    }
  }
}

// Where a word stands as a word, from `at` on.
size_t find_word(std::string_view text, std::string_view word, size_t at = 0) {
  for (; (at = text.find(word, at)) != std::string_view::npos; ++at) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) {
      return at;
    }
  }
  return std::string_view::npos;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) {
    text.remove_suffix(1);
  }
  return std::string(text);
}

// The end of what a bracket at `open` begins; npos: it does not end.
size_t closing(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t at = open; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      while (++at < text.size() && text[at] != '"') at += text[at] == '\\';
      continue;
    }
    if (c == '(' || c == '{' || c == '[') ++depth;
    if ((c == ')' || c == '}' || c == ']') && --depth == 0) return at;
  }
  return std::string_view::npos;
}

// Split at commas that are in no brackets.
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  bool in_quotes = false;
  size_t start = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') in_quotes = !in_quotes;
    if (in_quotes) continue;
    if (std::string_view("({[<").find(c) != std::string_view::npos) ++depth;
    if (std::string_view(")}]>").find(c) != std::string_view::npos) --depth;
    if (c != ',' || depth != 0) continue;
    parts.push_back(trimmed(text.substr(start, at - start)));
    start = at + 1;
  }
  if (const std::string last = trimmed(text.substr(start)); !last.empty() || !parts.empty()) {
    parts.push_back(last);
  }
  return parts;
}

// The namespaces that are open at `end`.
std::string scope_at(std::string_view text, size_t end) {
  std::vector<std::string> open;  // by bracket; empty: it is no namespace's
  std::string pending;
  for (size_t at = 0; at < end; ++at) {
    if (text.substr(at, 9) == "namespace" && (at == 0 || !is_letter(text[at - 1]))) {
      const size_t stop = text.find_first_of("{;=", at);
      if (stop == std::string_view::npos || text[stop] != '{') continue;
      pending = trimmed(text.substr(at + 9, stop - at - 9));
      at = stop - 1;
    } else if (text[at] == '{') {
      open.push_back(pending.empty() ? "" : pending + "::");
      pending.clear();
    } else if (text[at] == '}' && !open.empty()) {
      open.pop_back();
    }
  }
  std::string scope;
  for (const std::string& each : open) scope += each;
  return scope;
}

// Whether "template <...>" ends just before `end`, a few qualifiers apart.
bool follows_template(std::string_view text, size_t end) {
  const size_t statement = text.find_last_of(";}#", end);
  const size_t from = statement == std::string_view::npos ? 0 : statement;
  const size_t word = find_word(text.substr(0, end), "template", from);
  return word != std::string_view::npos;
}

struct Head {
  size_t name, open;  // of the name, and of its parameters' bracket
};

// The next __global__ function from `at` on.
std::optional<Head> next_head(std::string_view text, size_t& at) {
  while ((at = find_word(text, "__global__", at)) != std::string_view::npos) {
    const size_t word = at++;
    const size_t line = text.rfind('\n', word);
    const std::string start =
        trimmed(text.substr(line == std::string_view::npos ? 0 : line + 1, 1));
    if (start == "#") continue;
    // Qualifiers may have brackets of their own: __mix__(1, 2), __attribute__((...)).
    size_t open = text.find('(', word);
    while (open != std::string_view::npos) {
      size_t end = open;
      while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1]))) --end;
      size_t begin = end;
      while (begin > 0 && is_letter(text[begin - 1])) --begin;
      if (!text.substr(begin, end - begin).starts_with("__")) return Head{begin, open};
      const size_t close = closing(text, open);
      if (close == std::string_view::npos) return std::nullopt;
      open = text.find('(', close);
    }
  }
  return std::nullopt;
}

std::string name_at(std::string_view text, const Head& head) {
  size_t end = head.name;
  while (end < text.size() && is_letter(text[end])) ++end;
  return std::string(text.substr(head.name, end - head.name));
}

}  // namespace

KernelSource::KernelSource(const std::string& file, const std::vector<std::string>& folders) {
  own_ = without_comments(content_of(file));
  std::set<fs::path> seen;
  add_file(file, folders, seen, text_);
}

std::optional<KernelSource::Function> KernelSource::function(const std::string& name) const {
  std::optional<Function> declared;
  size_t at = 0;
  while (const auto head = next_head(text_, at)) {
    if (name_at(text_, *head) != name) continue;
    const size_t close = closing(text_, head->open);
    if (close == std::string::npos) continue;
    Function found;
    found.scope = scope_at(text_, head->name);
    found.parameters =
        parts_of(std::string_view(text_).substr(head->open + 1, close - head->open - 1));
    found.is_template = follows_template(text_, at - 1);
    const size_t body = text_.find_first_not_of(" \t\r\n", close + 1);
    if (body != std::string::npos && text_[body] == '{') {
      const size_t end = closing(text_, body);
      found.body = text_.substr(body, end == std::string::npos ? end : end - body);
      return found;
    }
    declared = found;
  }
  return declared;
}

std::vector<std::string> KernelSource::functions() const {
  std::vector<std::string> names;
  size_t at = 0;
  while (const auto head = next_head(own_, at)) {
    const std::string name = name_at(own_, *head);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

// The arguments of each use of a macro, but not of its definition.
std::vector<std::vector<std::string>> KernelSource::calls_of(std::string_view macro,
                                                             std::string_view text) const {
  std::vector<std::vector<std::string>> calls;
  for (size_t at = 0; (at = find_word(text, macro, at)) != std::string_view::npos; ++at) {
    const size_t open = text.find_first_not_of(" \t", at + macro.size());
    if (open == std::string_view::npos || text[open] != '(') continue;
    const size_t close = closing(text, open);
    if (close == std::string_view::npos) continue;
    if (at >= 8 && text.substr(at - 8, 7) == "#define") continue;
    calls.push_back(parts_of(text.substr(open + 1, close - open - 1)));
  }
  return calls;
}

// A number, or a name that the text gives one: #define NAME 3, NAME = 3.
std::optional<uint64_t> KernelSource::number_of(const std::string& word) const {
  if (const auto value = value_of_key_expression(word, 0)) return value;
  for (size_t at = 0; (at = find_word(text_, word, at)) != std::string::npos; ++at) {
    size_t value = text_.find_first_not_of(" \t=", at + word.size());
    if (value == std::string::npos || value == at + word.size()) continue;
    const size_t end = text_.find_first_of(";\n,", value);
    if (const auto number = value_of_key_expression(text_.substr(value, end - value), 0)) {
      return number;
    }
  }
  return std::nullopt;
}

std::string KernelSource::tiling_struct_of(uint64_t key) const {
  for (const auto& call : calls_of("REGISTER_TILING_FOR_TILINGKEY", text_)) {
    if (call.size() < 2) continue;
    std::string expression = call[0];
    std::erase(expression, '"');
    if (value_of_key_expression(expression, key).value_or(0) != 0) return call[1];
  }
  return "";
}

void KernelSource::add_structs(std::string_view macro, size_t argument,
                               std::vector<std::string>& names) const {
  for (const auto& call : calls_of(macro, text_)) {
    if (call.size() <= argument || std::ranges::find(names, call[argument]) != names.end())
      continue;
    names.push_back(call[argument]);
  }
}

bool KernelSource::names_struct(const std::string& name) const {
  std::vector<std::string> names;
  for (const std::string_view macro : kReadingMacros) add_structs(macro, 0, names);
  return std::ranges::find(names, without_scope(name), without_scope) != names.end();
}

std::string KernelSource::default_struct(uint64_t key) const {
  const auto calls = calls_of("REGISTER_TILING_DEFAULT", text_);
  const bool has_default = !calls.empty() && !calls[0].empty();
  const std::string of_key = tiling_struct_of(key);
  if (!of_key.empty() && !(has_default && names_struct(of_key))) return of_key;
  return has_default ? calls[0][0] : "";
}

std::vector<std::string> KernelSource::read_structs() const {
  std::vector<std::string> names;
  for (const std::string_view macro : kReadingMacros) add_structs(macro, 0, names);
  add_structs("REGISTER_TILING_DEFAULT", 0, names);
  add_structs("REGISTER_TILING_FOR_TILINGKEY", 1, names);
  return names;
}

std::string KernelSource::read_struct(uint64_t key) const {
  const std::string of_key = tiling_struct_of(key);
  if (!of_key.empty()) return of_key;
  for (const std::string_view macro :
       {"GET_TILING_DATA_WITH_STRUCT", "GET_TILING_DATA_PTR_WITH_STRUCT",
        "REGISTER_TILING_DEFAULT"}) {
    for (const auto& call : calls_of(macro, text_)) {
      if (!call.empty()) return call[0];
    }
  }
  return "";
}

bool KernelSource::registers_default() const {
  return !calls_of("REGISTER_TILING_DEFAULT", text_).empty();
}

bool KernelSource::takes_default() const { return !calls_of("GET_TILING_DATA", text_).empty(); }

std::string KernelSource::kernel_type(const std::string& function_name, uint64_t key) const {
  const auto of = function(function_name);
  const auto type = [](std::string word) {
    if (const size_t colon = word.rfind(':'); colon != std::string::npos) word.erase(0, colon + 1);
    constexpr std::string_view kStart = "KERNEL_TYPE_";
    return word.starts_with(kStart) ? word.substr(kStart.size()) : "";
  };
  for (const std::string& text : {of ? of->body : std::string(), text_}) {
    for (const auto& call : calls_of("KERNEL_TASK_TYPE", text)) {
      if (call.size() == 2 && number_of(call[0]) == key) return type(call[1]);
    }
    for (const auto& call : calls_of("KERNEL_TASK_TYPE_DEFAULT", text)) {
      if (call.size() == 1) return type(call[0]);
    }
  }
  return "";
}

std::vector<std::string> KernelSource::words_from(std::string_view start) const {
  std::vector<std::string> words;
  for (size_t at = 0; (at = text_.find(start, at)) != std::string::npos;) {
    size_t end = at;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    const std::string word = text_.substr(at, end - at);
    if ((at == 0 || !is_letter(text_[at - 1])) && std::ranges::find(words, word) == words.end()) {
      words.push_back(word);
    }
    at = end;
  }
  return words;
}

}  // namespace vinci::op
