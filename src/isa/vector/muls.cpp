// muls: dst[i] = src[i] * scalar.
//
// Sources and decisions: docs/spec/muls.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{vector::kOlder, vector::kFloats},
                                {vector::kNewer, vector::kNumbers}};

}  // namespace

extern constinit const Instruction muls =
    vector::scalar_instruction<vector::Product, half, float, int16_t, int32_t>("muls", "Muls",
                                                                               kSupport);

}  // namespace vinci::isa
