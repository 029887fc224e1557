// Return addresses to source lines, from debug information, inlined functions included.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vinci {

struct SourceLine {
  std::string file;
  int line = 0;
  std::string function;  // "KernelConv::Split", without parameters

  friend auto operator<=>(const SourceLine&, const SourceLine&) = default;
};

class SourceLines {
 public:
  // Knows the modules of this process as they are now.
  static SourceLines of_this_process();
  // Knows the modules of a process from the text of its /proc/<pid>/maps.
  static SourceLines of_maps(const std::string& maps);

  SourceLines(SourceLines&&) noexcept;
  SourceLines& operator=(SourceLines&&) noexcept;
  ~SourceLines();

  // The kernel's own lines of a call stack, innermost first: vinci's library and headers, and
  // whatever called the kernel, are left out. Empty without debug information.
  std::vector<SourceLine> kernel_lines(const std::vector<uint64_t>& frames) const;

  // "kernel.so+0x1a2b" for the innermost frame outside vinci, when there are no lines.
  std::string module_offset(const std::vector<uint64_t>& frames) const;

 private:
  struct State;
  explicit SourceLines(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace vinci
