// Record of Scatter.
#pragma once

#include "vinci/record/vector.h"

namespace vinci {

// dst[(base + offset[i]) bytes] = src[i]
struct ScatterRecord : Record {
  Operand dst, src, offset;
  uint32_t base = 0;  // bytes, relative to dst
  Lanes lanes;
  Stride src_stride;
};

}  // namespace vinci
