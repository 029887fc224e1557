// adds: dst[i] = src[i] + scalar.
//
// Sources and decisions: docs/spec/adds.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
extern constinit const Instruction adds =
    vector::scalar_instruction<vector::Sum, half, float, int16_t, int32_t>("adds", "Adds",
                                                                           vector::kScalarSupport);

}  // namespace vinci::isa
