// The bytes that a kernel gets for a dynamic input or output.
#pragma once

#include <cstdint>
#include <vector>

#include "op/call.h"

namespace vinci::op {

// Words: the offset of the pointers in bytes; for each tensor its rank, with 1 in the high half,
// and its dimensions; the pointers.
std::vector<uint64_t> tensor_list(const std::vector<Tensor>& tensors);

}  // namespace vinci::op
