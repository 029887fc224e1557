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

constexpr Support kSupport[] = {{kArch1001 | vector::kNewer, vector::kFloats}};

}  // namespace

extern constinit const Instruction sqrt =
    vector::unary_instruction<Root, half, float>("sqrt", "Sqrt", kSupport);

}  // namespace vinci::isa
