// Writes of one pipe over each other in a core's memory: which of them comes last shows only to who
// reads the bytes.
#pragma once

#include <span>
#include <vector>

#include "vinci/tool.h"

namespace vinci {

// Keeps the fault of such a pair until something reads a byte that both write; new bytes in all of
// them end it. Programs that measure copies fill one buffer again and again, and read none of it.
class UnreadWrites {
 public:
  void begin();
  // Both of the pair have written `bytes` of the memory; its later write is the last look().
  void keep(Space space, ByteSet bytes, Fault fault);
  // An instruction or a scalar access, before the pairs that it makes are kept.
  void look(CoreView& core, std::span<const Region> regions) {
    if (kept_ != 0) look_at(core, regions);
  }

 private:
  struct Pair {
    ByteSet bytes;
    Fault fault;
  };

  void look_at(CoreView& core, std::span<const Region> regions);

  std::vector<Pair> pairs_[kAllSpaces];  // one for each two places
  size_t kept_ = 0;                      // of them all
};

}  // namespace vinci
