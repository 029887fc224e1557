// The record of BilinearInterpolation.
#pragma once

#include "vinci/record/vector.h"

namespace vinci {

// Element i of vertical repeat v of dst is the sum over the horizontal repeats of the datablocks
// that src0_offset points to, eight to a repeat, times elements of src1: one for each block, or for
// each repeat.
struct BilinearRecord : Record {
  Operand dst, src0, src0_offset, src1;
  Operand tmp;
  uint64_t tmp_bytes = 0;  // that tmp must have
  Lanes lanes;             // of one repeat
  uint16_t h_repeats = 0, v_repeats = 0;
  bool factor_of_block = false;
  uint16_t dst_block_stride = 0;  // datablocks
  uint16_t v_offset = 0;          // elements of dst from one vertical repeat to the next
};

}  // namespace vinci
