// sub_relu_cast: dst[i] = src0[i] - src1[i] if that is above 0, else +0, in a narrower type.
//
// Sources and decisions: docs/spec/sub_relu_cast.md.
#include "isa/family/then_convert.h"

namespace vinci::isa {

extern constinit const Instruction sub_relu_cast =
    vector::positive_converting_instruction<vector::Difference>("sub_relu_cast", "SubReluCast");

}  // namespace vinci::isa
