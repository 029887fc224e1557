// cos: dst[i] = the cosine of src[i], correctly rounded.
//
// Sources and decisions: docs/spec/cos.md.
#include "isa/family/arithmetic.h"
#include "numeric/trigonometry.h"

namespace vinci::isa {
namespace {

struct Cosine {
  static constexpr bool kBranches = true;
  static float apply(float x) { return cos_of(x); }
  static float apply_to_half(float x) { return cos_of_half(x); }
};

}  // namespace

extern constinit const Instruction cos =
    vector::unary_instruction<Cosine, vector::kFloatsOfTik>("cos", "h_cos");

}  // namespace vinci::isa
