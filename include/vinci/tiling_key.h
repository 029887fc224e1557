// The key of the tiling that a kernel's program has chosen, by which the kernel takes its branch.
#pragma once

#include <cstdint>

namespace vinci {

void set_tiling_key(uint64_t key);
uint64_t tiling_key();

}  // namespace vinci
