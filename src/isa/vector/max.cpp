// max: the larger of src0[i] and src1[i].
//
// Sources and decisions: docs/spec/max.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
extern constinit const Instruction max =
    vector::accumulating_instruction<vector::Larger>("max", "Max");

}  // namespace vinci::isa
