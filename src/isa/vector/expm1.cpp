// expm1: dst[i] = e to the power of src[i], less 1, correctly rounded.
//
// Sources and decisions: docs/spec/expm1.md.
#include "isa/family/arithmetic.h"
#include "numeric/elementary.h"

namespace vinci::isa {
namespace {

struct ExponentialLessOne {
  static float apply_to_half(float x) { return expm1_of_half(x); }
};

constexpr Support kSupport[] = {{vector::kOlder | vector::kNewer, vector::kHalfOnly, true, kTik}};

}  // namespace

extern constinit const Instruction expm1 =
    vector::unary_instruction<ExponentialLessOne, kSupport>("expm1", "vec_expm1_high_preci");

}  // namespace vinci::isa
