// relu: dst[i] = src[i] if that is above 0, else +0.
//
// Sources and decisions: docs/spec/relu.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{vector::kOlder, vector::kHalfOnly},
                                {vector::kNewer, vector::kFloatsAndInt32}};

}  // namespace

extern constinit const Instruction relu =
    vector::unary_instruction<vector::Positive, kSupport>("relu", "Relu");

}  // namespace vinci::isa
