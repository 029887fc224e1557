// sin: dst[i] = the sine of src[i], correctly rounded.
//
// Sources and decisions: docs/spec/sin.md.
#include "isa/family/arithmetic.h"
#include "numeric/trigonometry.h"

namespace vinci::isa {
namespace {

struct Sine {
  static constexpr bool kBranches = true;
  static float apply(float x) { return sin_of(x); }
  static float apply_to_half(float x) { return sin_of_half(x); }
};

}  // namespace

extern constinit const Instruction sin =
    vector::unary_instruction<Sine, vector::kFloatsOfTik>("sin", "h_sin");

}  // namespace vinci::isa
