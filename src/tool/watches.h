// The datablocks of UB that CheckLocalMemoryIA forbids to touch.
#pragma once

#include <array>

#include "vinci/record/watch.h"
#include "vinci/tool.h"

namespace vinci {

class Watches {
 public:
  void begin() { units_ = {}; }
  // An instruction is issued: it may set a watch, or touch what is watched (V1009).
  [[gnu::hot]] void look(CoreView& core, const Record& record, std::span<const Region> regions);
  // GetValue and SetValue.
  void look_at_scalar(CoreView& core, const Region& region);

 private:
  void judge(CoreView& core, const Region& region, Pipe pipe) const;

  std::array<WatchRecord, 4> units_{};
};

}  // namespace vinci
