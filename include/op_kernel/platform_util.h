// Numbers of the chip that kernels of operators divide by.
#pragma once

#include "kernel_operator.h"

namespace platform {

// Bytes that UB is read and written in.
__aicore__ inline constexpr uint32_t GetUbBlockSize() { return 32; }
// Bytes that a vector instruction takes at once.
__aicore__ inline constexpr uint32_t GetVRegSize() { return 256; }

}  // namespace platform

namespace Ops {
namespace Base {

using platform::GetUbBlockSize;
using platform::GetVRegSize;

}  // namespace Base
}  // namespace Ops
