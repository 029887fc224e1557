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

}  // namespace

extern constinit const Instruction div =
    vector::binary_instruction<Quotient, vector::kFloatsBut1000>("div", "Div");

}  // namespace vinci::isa
