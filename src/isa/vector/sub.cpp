// sub: dst[i] = src0[i] - src1[i].
//
// Sources and decisions: docs/spec/sub.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
extern constinit const Instruction sub =
    vector::accumulating_instruction<vector::Difference>("sub", "Sub");

}  // namespace vinci::isa
