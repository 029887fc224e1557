// relu: dst[i] = src[i] if that is above 0, else +0.
//
// Sources and decisions: docs/spec/relu.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

struct Positive {
  // NaN stays.
  static Floats apply(Floats x) { return select(x <= 0.0f, Floats{}, x); }
  static int32_t apply(int32_t x) { return x <= 0 ? 0 : x; }
};

constexpr Signature kHalf[] = {DType::kHalf};
constexpr Signature kWithInt32[] = {DType::kHalf, DType::kFloat, DType::kInt32};
constexpr Support kSupport[] = {{vector::kOlder, kHalf}, {vector::kNewer, kWithInt32}};

}  // namespace

extern constinit const Instruction relu =
    vector::unary_instruction<Positive, half, float, int32_t>("relu", "Relu", kSupport);

}  // namespace vinci::isa
