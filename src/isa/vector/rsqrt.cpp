// rsqrt: dst[i] = 1 / square root of src[i], correctly rounded.
//
// Sources and decisions: docs/spec/rsqrt.md.
#include "isa/family/arithmetic.h"
#include "numeric/elementary.h"

namespace vinci::isa {
namespace {

struct InverseRoot {
  static float apply(float x) { return rsqrt_of(x); }
  static float apply_to_half(float x) { return rsqrt_of(x); }
};

}  // namespace

extern constinit const Instruction rsqrt =
    vector::unary_instruction<InverseRoot, vector::kFloatsEverywhere>("rsqrt", "Rsqrt");

}  // namespace vinci::isa
