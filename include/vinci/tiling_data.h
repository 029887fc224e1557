// What kernels of operator packages take from their tiling: the struct and the key. Not for
// kernels; the names that they use stand in ascendc/tiling_data.h.
#pragma once

#include <cstdint>

#include "vinci/record.h"

namespace vinci {

// Copies `bytes` of tiling data from `from` on, which is GM. What lies behind its buffer is a fault
// of the caller's line (V8008), and 0.
VINCI_OWN_LINE void read_tiling(void* to, const void* from, uint64_t bytes, const char* type);

// The kernel asks for a key, which is its own or not. The first line that does is kept, for V8007.
VINCI_OWN_LINE void key_asked(bool is_own);

// TILING_KEY_IS in a kernel that was compiled for the key `own`.
constexpr bool is_tiling_key(uint64_t own, uint64_t key) {
  if (!__builtin_is_constant_evaluated()) key_asked(own == key);
  return own == key;
}

// At the end of a kernel: a fault (V8007) where it first asked for a key, if none was `own`.
void check_keys_asked(uint64_t own, const char* function);

}  // namespace vinci
