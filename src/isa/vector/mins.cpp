// mins: the smaller of src[i] and scalar.
//
// Sources and decisions: docs/spec/mins.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{vector::kNewer, vector::kNumbers}};

}  // namespace

extern constinit const Instruction mins =
    vector::scalar_instruction<vector::Smaller, half, float, int16_t, int32_t>("mins", "Mins",
                                                                               kSupport);

}  // namespace vinci::isa
