// Numbers of the chip that tiling functions divide by.
#pragma once

#include "exe_graph/runtime/tiling_context.h"
#include "tiling/platform/platform_ascendc.h"

namespace Ops {
namespace Base {

// Bytes that UB is read and written in.
template <typename Context>
uint32_t GetUbBlockSize(const Context*) {
  return 32;
}
// Bytes of a vector register; 256 where vector instructions take so many at once instead.
template <typename Context>
uint32_t GetVRegSize(const Context* context) {
  const platform_ascendc::PlatformAscendC chip(context->GetPlatformInfo());
  const uint32_t bytes = chip.GetVecRegLen();
  return bytes == 0 ? 256 : bytes;
}

}  // namespace Base
}  // namespace Ops
