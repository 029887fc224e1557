// add: dst[i] = src0[i] + src1[i].
//
// Sources and decisions: docs/spec/add.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {

extern constinit const Instruction add =
    vector::accumulating_instruction<vector::Sum>("add", "Add");

}  // namespace vinci::isa
