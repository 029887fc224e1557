// The layout of a fault.
#include "report/text.h"

#include <filesystem>

#include <fmt/format.h>

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

// Of a second place; "" if there is none, or it is not known.
std::string text_of(const std::string& what, const std::vector<uint64_t>& frames,
                    const SourceLines& lines) {
  if (what.empty()) return "";
  const auto kernel = lines.kernel_lines(frames);
  if (!kernel.empty()) {
    return fmt::format("      {}: {}:{} in {}\n", what, shortened(kernel[0].file),
                       kernel[0].line, kernel[0].function);
  }
  const std::string offset = lines.module_offset(frames);
  return offset.empty() ? "" : fmt::format("      {}: {}\n", what, offset);
}

}  // namespace

std::string text_of(const Fault& fault, const SourceLines& lines) {
  std::string text = fmt::format("{}[{}] {}\n", fault.entry().warning ? "warning" : "error",
                                 to_string(fault.code), fault.message);
  const auto kernel = lines.kernel_lines(fault.frames);
  if (fault.line != 0) {
    text += fmt::format("  --> {}:{}\n", shortened(fault.file), fault.line);
  } else if (!kernel.empty()) {
    text += fmt::format("  --> {}:{} in {}\n", shortened(kernel[0].file), kernel[0].line,
                        kernel[0].function);
  } else if (const std::string offset = lines.module_offset(fault.frames); !offset.empty()) {
    text += fmt::format("  --> {} (compile with -g for the line)\n", offset);
  }
  if (const std::string place = place_of(fault); !place.empty()) {
    text += fmt::format("      {}\n", place);
  }
  for (size_t i = 1; i < kernel.size(); ++i) {
    if (i > kMostCallers) {
      text += fmt::format("      called from {} more\n", kernel.size() - i);
      break;
    }
    text += fmt::format("      called from {}:{} in {}\n", shortened(kernel[i].file),
                        kernel[i].line, kernel[i].function);
  }
  text += text_of(fault.other, fault.other_frames, lines);
  for (const Fault::Place& place : fault.also) text += text_of(place.what, place.frames, lines);
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
