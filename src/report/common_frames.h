// Call stacks that are the same lines of source.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "report/source_line.h"
#include "vinci/fault.h"

namespace vinci {

// A compiler that unrolls a loop, or writes an inlined function twice, gives one call several
// addresses. Faults are to be counted by the line.
class CommonFrames {
 public:
  using Frames = std::vector<uint64_t>;

  // The first stack met with the same lines, which `lines` gives; `frames` itself where there are
  // no lines. Stacks that were met before need no lines.
  const Frames& of(const Frames& frames, const std::function<std::vector<SourceLine>()>& lines);

 private:
  std::map<Frames, Frames> known_;
  std::map<std::vector<SourceLine>, Frames> by_lines_;
};

// The faults with those of one line counted together.
std::vector<Fault> merged_by_line(const std::vector<Fault>& faults, const SourceLines& lines);

}  // namespace vinci
