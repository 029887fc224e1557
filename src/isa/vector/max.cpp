// max: the larger of src0[i] and src1[i].
//
// Sources and decisions: docs/spec/max.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

struct Larger {
  // NaN if one of them is; of two zeros +0, if there is one.
  static Floats apply(Floats a, Floats b) {
    // The same number, but where a and b are equal or one is NaN: there they are a and b.
    const Floats x = larger(b, a), y = larger(a, b);
    return select(a == b, and_bits(x, y), or_bits(x, y));
  }
  template <class T>
  static T apply(T a, T b) {
    return a > b ? a : b;
  }
};

}  // namespace

extern constinit const Instruction max = vector::accumulating_instruction<Larger>("max", "Max");

}  // namespace vinci::isa
