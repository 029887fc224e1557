// The layout of a fault.
#include "report/text.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "report/places.h"

namespace vinci {
namespace {

constexpr size_t kMostCallers = 8;

std::string place_of(const Fault& fault) {
  std::string place;
  const auto add = [&](std::string text) {
    place += (place.empty() ? "" : ", ") + std::move(text);
  };
  if (fault.block >= 0) add(fmt::format("block {}", fault.block));
  if (fault.block >= 0 && !fault.core.empty()) {
    add(fault.sub_block < 0 ? fault.core : fmt::format("{} {}", fault.core, fault.sub_block));
  }
  if (!fault.pipe.empty()) add(fault.pipe);
  if (fault.serial != 0) add(fmt::format("instruction {}", fault.serial));
  if (fault.count > 1) add(fmt::format("{} times", fault.count));
  return place;
}

// Behind the > of the template arguments whose < is at `at`; `at` itself: it begins none.
size_t behind_arguments(std::string_view name, size_t at) {
  int depth = 0;
  for (size_t end = at; end < name.size(); ++end) {
    depth += (name[end] == '<') - (name[end] == '>');
    if (depth == 0) return end + 1;
  }
  return at;
}

// A function's name without template arguments that would fill a line by themselves:
// "Kernel<...>::Run".
std::string brief(std::string_view name) {
  constexpr size_t kMostArguments = 60;
  std::string made;
  for (size_t at = 0; at < name.size();) {
    const size_t end = name[at] == '<' ? behind_arguments(name, at) : at;
    const bool is_long = end - at > kMostArguments;
    made += is_long ? "<...>" : name.substr(at, std::max<size_t>(end - at, 1));
    at = std::max(end, at + 1);
  }
  return made;
}

// "k.cpp:7 in add", "script.py:7"
std::string text_of(const SourceLine& line) {
  return fmt::format("{}:{}{}{}", shortened(line.file), line.line,
                     line.function.empty() ? "" : " in ", brief(line.function));
}

// Of a second place; "" if there is none, or it is not known.
std::string text_of(const Fault::Place& place, const SourceLines& lines) {
  if (place.what.empty()) return "";
  const auto places = places_of(place, lines);
  const std::string where = places.empty() ? lines.module_offset(place.frames) : text_of(places[0]);
  return where.empty() ? "" : fmt::format("      {}: {}\n", place.what, where);
}

}  // namespace

std::string text_of(const Fault& fault, const SourceLines& lines) {
  return text_of(fault, places_of(fault, lines), lines);
}

std::string text_of(const Fault& fault, const std::vector<SourceLine>& places,
                    const SourceLines& lines) {
  std::string text = fmt::format("{}[{}] {}\n", fault.entry().warning ? "warning" : "error",
                                 to_string(fault.code), fault.message);
  if (!places.empty()) {
    text += fmt::format("  --> {}\n", text_of(places[0]));
  } else if (const std::string offset = lines.module_offset(fault.frames); !offset.empty()) {
    text += fmt::format("  --> {} (compile with -g for the line)\n", offset);
  }
  if (const std::string place = place_of(fault); !place.empty()) {
    text += fmt::format("      {}\n", place);
  }
  for (size_t i = 1; i < places.size(); ++i) {
    if (i > kMostCallers) {
      text += fmt::format("      called from {} more\n", places.size() - i);
      break;
    }
    text += fmt::format("      called from {}\n", text_of(places[i]));
  }
  text += text_of(fault.other, lines);
  for (const Fault::Place& place : fault.also) text += text_of(place, lines);
  if (!fault.legal.empty()) text += fmt::format("  = legal: {}\n", fault.legal);
  text += fmt::format("  = see: vinci explain {}\n", to_string(fault.code));
  return printable(text);
}

std::string printable(const std::string& text) {
  std::string shown;
  for (const char c : text) {
    const bool is_control = (uint8_t(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
    if (is_control) shown += fmt::format("\\x{:02x}", uint8_t(c));
    if (!is_control) shown += c;
  }
  return shown;
}

std::string shortened(const std::string& path) {
  std::error_code error;
  const std::filesystem::path relative = std::filesystem::relative(path, error);
  if (error || relative.empty() || *relative.begin() == "..") return path;
  return relative.string();
}

}  // namespace vinci
