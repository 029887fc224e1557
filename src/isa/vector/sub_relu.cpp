// sub_relu: dst[i] = src0[i] - src1[i] if that is above 0, else +0.
//
// Sources and decisions: docs/spec/sub_relu.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {

extern constinit const Instruction sub_relu =
    vector::positive_instruction<vector::Difference>("sub_relu", "SubRelu");

}  // namespace vinci::isa
