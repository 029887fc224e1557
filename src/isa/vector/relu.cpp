// relu: dst[i] = src[i] if that is above 0, else +0.
//
// Sources and decisions: docs/spec/relu.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

constexpr Signature kHalf[] = {DType::kHalf};
constexpr Signature kWithInt32[] = {DType::kHalf, DType::kFloat, DType::kInt32};
constexpr Support kSupport[] = {{vector::kOlder, kHalf}, {vector::kNewer, kWithInt32}};

}  // namespace

extern constinit const Instruction relu =
    vector::unary_instruction<vector::Positive, half, float, int32_t>("relu", "Relu", kSupport);

}  // namespace vinci::isa
