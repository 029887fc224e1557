// min: the smaller of src0[i] and src1[i].
//
// Sources and decisions: docs/spec/min.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
extern constinit const Instruction min =
    vector::accumulating_instruction<vector::Smaller>("min", "Min");

}  // namespace vinci::isa
