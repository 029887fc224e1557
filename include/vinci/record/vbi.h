// Record of vbi.
#pragma once

#include "vinci/record/vector.h"

namespace vinci {

// Each datablock of dst is a sum of datablocks of src0, which offsets point to, times numbers of
// src1.
struct VbiRecord : Record {
  Operand dst, src0, src1, offset;
  Lanes lanes;  // of each sum; lanes.repeats: how many sums, one behind another
  uint16_t dst_block_stride = 1;
  uint16_t dst_step = 128;         // elements from a sum to the next
  uint16_t terms = 1;              // of each sum
  bool factor_each_block = false;  // eight factors for a term, one for each datablock, not one
};

}  // namespace vinci
