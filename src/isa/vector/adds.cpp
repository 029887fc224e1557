// adds: dst[i] = src[i] + scalar.
//
// Sources and decisions: docs/spec/adds.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{vector::kOlder, vector::kFloats},
                                {vector::kNewer, vector::kNumbers}};

}  // namespace

extern constinit const Instruction adds =
    vector::scalar_instruction<vector::Sum, half, float, int16_t, int32_t>("adds", "Adds",
                                                                           kSupport);

}  // namespace vinci::isa
