// What a tensor of a TIK script has for itself: whole datablocks.
#pragma once

#include "vinci/region.h"

namespace vinci {

// Whether a region ends in the tensor's last datablock, if not in the tensor itself. Nothing is
// behind a tensor without bytes.
inline bool ends_in_last_datablock(const Region& region) {
  constexpr uint64_t kBlockBytes = 32;
  const uint64_t behind = region.operand.address + region.operand.bytes + kBlockBytes - 1;
  return region.operand.bytes != 0 && region.end() <= behind / kBlockBytes * kBlockBytes;
}

}  // namespace vinci
