// What kernels of operator packages take from their tiling: the struct and the key. Not for
// kernels; the names that they use stand in ascendc/tiling_data.h.
#pragma once

#include <cstdint>

#include "vinci/record.h"

namespace vinci {

// Copies `bytes` of tiling data from `from` on, which is GM. What lies behind its buffer is a fault
// of the caller's line (V8008), and 0.
VINCI_OWN_LINE void read_tiling(void* to, const void* from, uint64_t bytes, const char* type);

// Of the kernel on this thread, in its own library: whether it asked for keys, and whether one of
// them was its own.
struct KeysAsked {
  bool any = false, own = false;
};
inline thread_local KeysAsked keys_asked;

// Keeps the line, for V8007.
VINCI_OWN_LINE void first_key_asked();

// TILING_KEY_IS in a kernel that was compiled for the key `own`.
constexpr bool is_tiling_key(uint64_t own, uint64_t key) {
  if (!__builtin_is_constant_evaluated()) {
    if (!keys_asked.any) first_key_asked();
    keys_asked.any = true;
    keys_asked.own = keys_asked.own || own == key;
  }
  return own == key;
}

// The fault (V8007) of a kernel that has no branch for its key, where it first asked for one.
void missing_branch(uint64_t own, const char* function);

// At the end of a kernel: a fault if it asked for keys, and none was `own`.
inline void check_keys_asked(uint64_t own, const char* function) {
  if (keys_asked.any && !keys_asked.own) missing_branch(own, function);
}

}  // namespace vinci
