// The record of the library's vector functions: SoftMax, Sigmoid, Sort, ...
#pragma once

#include "vinci/record.h"

namespace vinci {

// Operands that a function does not have keep the type kNone. What `size` and `number` hold, the
// function's file in src/isa/library says.
struct LibraryRecord : Record {
  Operand dst[5], src[7];
  Operand tmp;             // sharedTmpBuffer; type kNone: the library finds room itself
  uint64_t tmp_bytes = 0;  // that sharedTmpBuffer must have
  uint64_t count = 0;      // elements, of what works element by element
  uint64_t scalar = 0;     // its bits stand in the low bytes, in the type of the tensors
  uint32_t size[10] = {};
  uint32_t used_up = 0;  // bit i: nobody may rely on src[i] afterwards (isReuseSource)
  float number[2] = {};
};

}  // namespace vinci
