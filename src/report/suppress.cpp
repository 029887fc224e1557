#include "report/suppress.h"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "report/nearest.h"
#include "report/places.h"
#include "report/text.h"

namespace vinci {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Takes the first word off `text`.
std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text = trimmed(text.substr(word.size()));
  return word;
}

[[noreturn]] void refuse(const std::string& place, const std::string& problem) {
  throw std::runtime_error(fmt::format("{}: {}", place, problem));
}

// What a fault of another class means, no reason makes good: the kernel did not run to its end.
Code code_of(const std::string& place, std::string_view word) {
  std::vector<std::string> names;
  for (const CodeEntry& entry : code_table()) {
    names.push_back(to_string(entry.code));
    if (names.back() != word) continue;
    if (entry.kind == FaultClass::kKernel || entry.kind == FaultClass::kUnverified) {
      return entry.code;
    }
    refuse(place, fmt::format("{} is of class {}; legal: codes of the classes kernel, unverified",
                              word, name_of(entry.kind)));
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  refuse(place, fmt::format("unknown code {}{}; legal: the codes of docs/fault, as V1001", word,
                            did_you_mean(word, views)));
}

// The number behind the last colon, which it takes off the path; 0: there is none.
int take_line(const std::string& place, std::string& path) {
  const size_t colon = path.rfind(':');
  if (colon == std::string::npos) return 0;
  const std::string digits = path.substr(colon + 1);
  int line = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  if (digits.empty() || end != digits.data() + digits.size()) return 0;
  if (error != std::errc() || line < 1) {
    refuse(place, fmt::format("{} has no such line; legal: lines from 1", path));
  }
  path.resize(colon);
  return line;
}

}  // namespace

Suppressions::Line Suppressions::parse(const std::string& place, const std::string& text) {
  std::string_view rest = text;
  const std::string_view code = take_word(rest), path = take_word(rest);
  Line line;
  line.place = place;
  line.code = code_of(place, code);
  if (rest.empty()) {
    refuse(place, fmt::format("{} has no {}; legal: CODE PATH[:LINE] REASON", text,
                              path.empty() ? "path" : "reason"));
  }
  line.path = path;
  line.line = take_line(place, line.path);
  line.reason = rest;
  return line;
}

Suppressions Suppressions::read(const std::string& file) {
  std::ifstream stream(file);
  std::error_code error;
  if (!stream || std::filesystem::is_directory(file, error)) {
    throw std::runtime_error(fmt::format("{} cannot be read", file));
  }
  Suppressions all;
  std::string text;
  for (int number = 1; std::getline(stream, text); ++number) {
    const std::string_view words = trimmed(text);
    if (words.empty() || words.front() == '#') continue;
    all.lines_.push_back(parse(fmt::format("{}:{}", file, number), std::string(words)));
  }
  return all;
}

void Suppressions::apply(Fault& fault, const SourceLines& lines) {
  const auto is_code = [&](const Line& line) { return line.code == fault.code; };
  if (std::ranges::none_of(lines_, is_code)) return;  // finding places takes its time
  const auto places = places_of(fault, lines);
  const SourceLine place = places.empty() ? SourceLine() : places[0];
  const std::string path = place.file.empty() ? "" : shortened(place.file);
  const auto is_for = [&](const Line& line) {
    if (line.code != fault.code || (line.line != 0 && line.line != place.line)) return false;
    return fnmatch(line.path.c_str(), path.c_str(), 0) == 0 ||
           fnmatch(line.path.c_str(), place.file.c_str(), 0) == 0;
  };
  for (Line& line : lines_) {
    if (!is_for(line)) continue;
    line.is_used = true;
    if (fault.suppressed.empty()) fault.suppressed = line.reason;
  }
}

std::vector<std::string> Suppressions::unused() const {
  std::vector<std::string> list;
  for (const Line& line : lines_) {
    if (line.is_used) continue;
    list.push_back(fmt::format("{}: {} {}", line.place, to_string(line.code), line.path));
    if (line.line != 0) list.back() += fmt::format(":{}", line.line);
  }
  return list;
}

}  // namespace vinci
