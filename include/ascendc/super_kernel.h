// SK_BIND and what it binds: the functions by which a SuperKernel, into which the toolkit's graph mode
// merges the kernels of several operators, enters one of them. vinci launches kernels one by one, and
// only compiles such functions.
#pragma once

#include <cstdint>

#include "ascendc/keyword.h"

#define __sk__ [[maybe_unused]] static

namespace sk {

// Blocks as the kernel was to have; AIVs are blocks of their own, also where an AIC has two.
struct SkSystemArgs {
  uint32_t skNumBlocks;
  uint32_t SkGetNumBlocks() const { return skNumBlocks; }
};

}  // namespace sk

// A kernel, what it does that concerns the others (bits 0 to 3), and one to four functions.
#define SK_BIND(kernel, capabilities, ...) \
  static_assert(uint64_t(capabilities) < 16, "SK_BIND: capabilities; legal: 0..15")
