// mins: the smaller of src[i] and scalar.
//
// Sources and decisions: docs/spec/mins.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {

extern constinit const Instruction mins =
    vector::scalar_instruction<vector::Smaller, vector::kNumbersOnNewer>("mins", "Mins");

}  // namespace vinci::isa
