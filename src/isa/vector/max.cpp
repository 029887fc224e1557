// max: the larger of src0[i] and src1[i].
//
// Sources and decisions: docs/spec/max.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

struct Larger {
  // NaN if one of them is; of two zeros +0, if there is one.
  static Floats apply(Floats a, Floats b) {
    // The same number, but where one is NaN, and where both are zero.
    return nan_with(a, b, and_bits(larger(a, b), larger(b, a)));
  }
  template <class T>
  static T apply(T a, T b) {
    return a > b ? a : b;
  }
};

}  // namespace

extern constinit const Instruction max = vector::accumulating_instruction<Larger>("max", "Max");

}  // namespace vinci::isa
