// leaky_relu: dst[i] = src[i], times scalar if its sign is negative.
//
// Sources and decisions: docs/spec/leaky_relu.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

struct Leaky {
  // The sign bit decides: -0 is multiplied too.
  template <FloatVector F>
  static F apply(F x, F slope) {
    return select(has_sign(x), x * slope, x);
  }
};

constexpr Support kSupport[] = {{kArch2002 | kArch2201 | kArch3002, vector::kFloats}};

}  // namespace

extern constinit const Instruction leaky_relu =
    vector::scalar_instruction<Leaky, kSupport>("leaky_relu", "LeakyRelu");

}  // namespace vinci::isa
