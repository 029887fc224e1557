// exp: dst[i] = e to the power of src[i], correctly rounded.
//
// Sources and decisions: docs/spec/exp.md.
#include "isa/family/arithmetic.h"
#include "numeric/elementary.h"

namespace vinci::isa {
namespace {

struct Exponential {
  static float apply(float x) { return exp_of(x); }
  static float apply_to_half(float x) { return exp_of_half(x); }
};

}  // namespace

extern constinit const Instruction exp =
    vector::unary_instruction<Exponential, vector::kHalfThenFloats>("exp", "Exp");

}  // namespace vinci::isa
