// A record of copies into L1 that widen or pack what they move.
#pragma once

#include "vinci/record.h"

namespace vinci {

// From GM to L1: of each burst a few bytes, and the padding up to a datablock; or the first bytes
// of each datablock alone.
struct PaddedCopyRecord : Record {
  Operand dst, src;
  uint8_t mode = 1;  // 1..5: 1, 2, 4, 8, 16 bytes; 6..8: 4, 8, 16 bytes without padding
  uint16_t bursts = 0;
  uint16_t length = 1, src_gap = 0, dst_gap = 0;  // datablocks
};

}  // namespace vinci
