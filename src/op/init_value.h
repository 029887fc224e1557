// What an output holds before its kernel, where tiling has said SetNeedAtomic(true).
#pragma once

#include <cstdint>
#include <vector>

#include "op/definitions.h"

namespace vinci::op {

// One element of InitValue in a row of this index and type; empty: the definition says none.
std::vector<uint8_t> first_bytes(const Parameter& output, int dtype, int row);

}  // namespace vinci::op
