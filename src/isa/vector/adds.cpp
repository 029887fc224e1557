// adds: dst[i] = src[i] + scalar.
//
// Sources and decisions: docs/spec/adds.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {

extern constinit const Instruction adds =
    vector::scalar_instruction<vector::Sum, vector::kFloatsThenNumbers>("adds", "Adds");

}  // namespace vinci::isa
