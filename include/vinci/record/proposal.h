// Records of the instructions that suppress region proposals which overlap better ones. TIK has
// them; Ascend C does not.
#pragma once

#include <cstdint>

#include "vinci/record.h"

namespace vinci {

// Numbers of boxes, or of pairs of boxes: 16 of src0 a repeat, each with the 16 of src1. Where
// there are no pairs, src1 has no type.
struct BoxRecord : Record {
  Operand dst, src0, src1;
  int32_t repeats = 0;
};

// 16 rows of 16 bits a repeat: row i says which of 16 later proposals proposal i suppresses, if it
// is not suppressed itself. `vector` has a uint16 for each proposal that is not 0 if it is.
struct SuppressRecord : Record {
  Operand matrix, vector;
  uint16_t matrix_repeat_stride = 1, vector_repeat_stride = 1;  // datablocks
  int32_t repeats = 1;
};

// What the registers of these instructions hold from here on.
struct SetProposalRegisterRecord : Record {
  uint64_t value = 0;  // RPN_COR_IR: 16 bits; RPN_OFFSET: the bits of a half
};

}  // namespace vinci
