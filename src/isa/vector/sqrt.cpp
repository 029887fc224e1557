// sqrt: dst[i] = the square root of src[i], correctly rounded.
//
// Sources and decisions: docs/spec/sqrt.md.
#include "isa/family/arithmetic.h"
#include "numeric/elementary.h"

namespace vinci::isa {
namespace {

struct Root {
  static float apply(float x) { return sqrt_of(x); }
  static float apply_to_half(float x) { return sqrt_of(x); }
};

}  // namespace

extern constinit const Instruction sqrt =
    vector::unary_instruction<Root, vector::kFloatsBut1000>("sqrt", "Sqrt");

}  // namespace vinci::isa
