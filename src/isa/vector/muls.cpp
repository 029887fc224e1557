// muls: dst[i] = src[i] * scalar.
//
// Sources and decisions: docs/spec/muls.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {

extern constinit const Instruction muls =
    vector::scalar_instruction<vector::Product, vector::kFloatsThenNumbers>("muls", "Muls");

}  // namespace vinci::isa
