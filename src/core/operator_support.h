// Rows of an instruction's types that only the library's operators may issue, as the library does
// by ways of its own where kernels have none.
#pragma once

#include "core/state.h"

namespace vinci {

inline constexpr FrontEnds kOperator = 4;

}  // namespace vinci
