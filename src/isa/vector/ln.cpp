// ln: dst[i] = the natural logarithm of src[i], correctly rounded.
//
// Sources and decisions: docs/spec/ln.md.
#include "isa/family/arithmetic.h"
#include "numeric/elementary.h"

namespace vinci::isa {
namespace {

struct Logarithm {
  static float apply(float x) { return ln_of(x); }
  static float apply_to_half(float x) { return ln_of_half(x); }
};

constexpr Signature kHalf[] = {DType::kHalf};
constexpr Support kSupport[] = {{kArch1000, kHalf}, {kArch1001 | vector::kNewer, vector::kFloats}};

}  // namespace

extern constinit const Instruction ln =
    vector::unary_instruction<Logarithm, half, float>("ln", "Ln", kSupport);

}  // namespace vinci::isa
