#include "launch/compile/compiler_messages.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace vinci::launch {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

bool is_redefinition(std::string_view line) {
  return line.find(": warning: \"") != line.npos && line.ends_with("\" redefined\n");
}

bool is_other_message(std::string_view line) {
  return line.find(": warning: ") != line.npos || line.find(": error: ") != line.npos;
}

// "In file included from a.cpp:1:", and the lines below it.
bool leads_there(std::string_view line) {
  return line.starts_with("In file included from ") || line.starts_with("                 from ");
}

}  // namespace

std::string without_redefinitions(const std::string& messages, const std::string& folder) {
  constexpr std::string_view kNote = ": note: this is the location of the previous definition";
  const std::vector<std::string_view> lines = lines_of(messages);
  std::vector<std::string_view> rest;
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    if (is_redefinition(*line)) {
      const auto note = std::find_if(line + 1, lines.end(), [&](std::string_view each) {
        return is_other_message(each) || each.find(kNote) != each.npos;
      });
      if (note != lines.end() && note->starts_with(folder + "/") && !is_other_message(*note)) {
        const auto is_excerpt = [](std::string_view each) { return each.starts_with(" "); };
        line = std::find_if_not(note + 1, lines.end(), is_excerpt) - 1;
        while (!rest.empty() && leads_there(rest.back())) rest.pop_back();
        continue;
      }
    }
    rest.push_back(*line);
  }
  return fmt::format("{}", fmt::join(rest, ""));
}

}  // namespace vinci::launch
