// fused_mul_add: dst[i] = src0[i] * dst[i] + src1[i], rounded twice: the product, then the sum.
//
// Sources and decisions: docs/spec/fused_mul_add.md.
#include "isa/family/multiply_add.h"

namespace vinci::isa {

extern constinit const Instruction fused_mul_add =
    vector::multiply_add_instruction<vector::Roles{.factor = 2, .addend = 1},
                                     vector::kFusedSupport>("fused_mul_add", "FusedMulAdd");

}  // namespace vinci::isa
