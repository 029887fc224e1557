// maxs: the larger of src[i] and scalar.
//
// Sources and decisions: docs/spec/maxs.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {

extern constinit const Instruction maxs =
    vector::scalar_instruction<vector::Larger, vector::kNumbersOnNewer>("maxs", "Maxs");

}  // namespace vinci::isa
