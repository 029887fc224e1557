// fused_mul_add_relu: dst[i] = src0[i] * dst[i] + src1[i], rounded twice, if that is above 0, else
// +0.
//
// Sources and decisions: docs/spec/fused_mul_add_relu.md.
#include "isa/family/multiply_add.h"

namespace vinci::isa {

extern constinit const Instruction fused_mul_add_relu =
    vector::multiply_add_instruction<vector::Roles{.factor = 2, .addend = 1, .relu = true},
                                     vector::kFusedSupport>("fused_mul_add_relu",
                                                            "FusedMulAddRelu");

}  // namespace vinci::isa
