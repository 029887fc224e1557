// Constant data of the programs that are loaded: a table outside functions, `const __gm__ int32_t
// table[64]`, lies in GM on the chip.
#pragma once

#include <cstdint>

#include "core/memory.h"

namespace vinci {

// The constants of one object file around `address`, all of them as one buffer, which stays for as
// long as the process does; nullptr: there are none. Nobody may write them. Any thread may ask.
const GmBuffer* constants_at(uint64_t address);

}  // namespace vinci
