// maxs: the larger of src[i] and scalar.
//
// Sources and decisions: docs/spec/maxs.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{vector::kNewer, vector::kNumbers}};

}  // namespace

extern constinit const Instruction maxs =
    vector::scalar_instruction<vector::Larger, half, float, int16_t, int32_t>("maxs", "Maxs",
                                                                              kSupport);

}  // namespace vinci::isa
