// reciprocal: dst[i] = 1 / src[i], correctly rounded.
//
// Sources and decisions: docs/spec/reciprocal.md.
#include "isa/family/arithmetic.h"
#include "numeric/elementary.h"

namespace vinci::isa {
namespace {

struct Inverse {
  static float apply(float x) { return reciprocal_of(x); }
  static float apply_to_half(float x) { return reciprocal_of(x); }
};

}  // namespace

extern constinit const Instruction reciprocal =
    vector::unary_instruction<Inverse, vector::kFloatsEverywhere>("reciprocal", "Reciprocal");

}  // namespace vinci::isa
