// mul: dst[i] = src0[i] * src1[i].
//
// Sources and decisions: docs/spec/mul.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {

extern constinit const Instruction mul =
    vector::accumulating_instruction<vector::Product>("mul", "Mul");

}  // namespace vinci::isa
