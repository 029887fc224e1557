// Which GM buffer a tensor was set to: so an access that ends up in another one can be told.
#pragma once

#include <cstdint>

namespace vinci {

// A number of the GM buffer that holds this address, as Operand::allocation keeps it for tensors in
// GM. 0: none does, or no kernel is running.
uint32_t gm_home(const void* address);

}  // namespace vinci
