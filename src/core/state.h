// What an instruction depends on besides its record and the memories.
#pragma once

#include <cstdint>

#include "core/registers.h"
#include "soc/soc.h"

namespace vinci {

// The two ways to program the AI Core, as bits: their documents disagree about types here and
// there.
using FrontEnds = uint8_t;
inline constexpr FrontEnds kAscendC = 1;
inline constexpr FrontEnds kTik = 2;

struct State {
  const Soc& soc;
  const Registers& registers;  // as they were when the instruction was issued
};

}  // namespace vinci
