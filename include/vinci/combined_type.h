// What copies without an element type combine in GM. Not for kernels.
#pragma once

#include "vinci/record.h"

namespace vinci {

// The type that copies into GM combine on the current core, or uint8 if they do not.
DType combined_type();

}  // namespace vinci
