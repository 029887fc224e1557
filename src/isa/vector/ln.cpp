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

}  // namespace

extern constinit const Instruction ln =
    vector::unary_instruction<Logarithm, vector::kHalfThenFloats>("ln", "Ln");

}  // namespace vinci::isa
