// div: dst[i] = src0[i] / src1[i].
//
// Sources and decisions: docs/spec/div.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

struct Quotient {
  template <FloatVector F>
  static F apply(F a, F b) {
    return a / b;
  }
};

constexpr Support kSupport[] = {{kArch1001 | vector::kNewer, vector::kFloats}};

}  // namespace

extern constinit const Instruction div =
    vector::binary_instruction<Quotient, half, float>("div", "Div", kSupport);

}  // namespace vinci::isa
