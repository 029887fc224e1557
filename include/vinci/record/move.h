// Records of the copies between memories.
#pragma once

#include "vinci/record.h"

namespace vinci {

// `blocks` bursts of `length` units; gaps are from the end of one burst to the start of the next.
// The unit is 32 B except where an instruction says otherwise.
struct Bursts {
  uint16_t blocks = 1;
  uint16_t length = 0;
  uint16_t src_gap = 0;
  uint16_t dst_gap = 0;
};

struct DataCopyRecord : Record {
  Operand dst, src;
  bool by_count = false;
  uint64_t count = 0;  // elements, when by_count
  Bursts bursts;       // otherwise
};

// DataCopyEnhancedParams as the documents number them.
struct EnhancedCopy {
  enum class BlockMode : uint8_t { kNormal, kMatrix, kVector, kSmallChannel, kDepthwise };
  enum class Dequant : uint8_t { kNone, kDeq, kVdeq, kDeq8, kVdeq8, kDeq16, kVdeq16 };
  BlockMode block_mode = BlockMode::kNormal;
  Dequant dequant = Dequant::kNone;
  uint8_t sid_store_mode = 0;
  bool relu = false;
  uint64_t dequant_value = 0;
  uint64_t dequant_tensor = 0;
};

struct DataCopyL0CRecord : Record {
  Operand dst, src;
  Bursts bursts;
  EnhancedCopy enhanced;
};

}  // namespace vinci
