// add_relu: dst[i] = src0[i] + src1[i] if that is above 0, else +0.
//
// Sources and decisions: docs/spec/add_relu.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {

extern constinit const Instruction add_relu =
    vector::positive_instruction<vector::Sum>("add_relu", "AddRelu");

}  // namespace vinci::isa
