// The unit flags of L0C: one for each 512 bytes, by which Mmad and Fixpipe wait for each other. The
// one waits until they are down, the other until they are up; who waits for ever is told.
#pragma once

#include <bitset>
#include <span>

#include "vinci/tool.h"

namespace vinci {

class UnitFlags {
 public:
  void begin() { up_.reset(); }
  // An instruction is issued.
  void look(CoreView& core, const Record& record, std::span<const Region> regions);

 private:
  static constexpr uint64_t kUnit = 512;
  static constexpr uint8_t kSets = 3;  // 2 waits and leaves them as they are

  void multiply(CoreView& core, const Region& dst, uint8_t flag);
  void take_out(CoreView& core, const Region& src, uint8_t flag);

  std::bitset<(1 << 20) / kUnit> up_;
};

}  // namespace vinci
