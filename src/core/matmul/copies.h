// Copies that an AIV makes for its Matmul objects.
#pragma once

#include "core/core.h"

namespace vinci {

// Bytes between GM and UB, in bursts; what lies behind a burst's end in UB up to a datablock stays.
void copy_bursts(Core& core, const Operand& from, const Operand& to, uint32_t bursts,
                 uint64_t bytes, uint64_t ub_pitch);
void copy_bytes(Core& core, const Operand& from, const Operand& to, uint64_t bytes);
// From TSCM, what the AIV's MTE2 brought there for the AIC.
void copy_from_tscm(Core& core, const Operand& tscm, const Operand& gm, uint64_t bytes);
void copy_to_tscm(Core& core, const Operand& gm, const Operand& tscm, uint64_t bytes);
// What the core's MTE2 copied is there for the other pipes, and for scalar code.
void await_copies(Core& core);

}  // namespace vinci
