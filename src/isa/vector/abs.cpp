// abs: dst[i] = |src[i]|.
//
// Sources and decisions: docs/spec/abs.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

struct Magnitude {
  template <FloatVector F>
  static F apply(F x) {
    return floats_of<F>(bits_of(x) & 0x7FFFFFFF);
  }
};

}  // namespace

extern constinit const Instruction abs =
    vector::unary_instruction<Magnitude, vector::kFloatsEverywhere>("abs", "Abs");

}  // namespace vinci::isa
