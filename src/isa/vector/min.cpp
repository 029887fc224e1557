// min: the smaller of src0[i] and src1[i].
//
// Sources and decisions: docs/spec/min.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

struct Smaller {
  // NaN if one of them is; of two zeros -0, if there is one.
  static Floats apply(Floats a, Floats b) {
    // The same number, but where a and b are equal or one is NaN: there they are a and b.
    const Floats x = smaller(b, a), y = smaller(a, b);
    return or_bits(x, y);
  }
  template <class T>
  static T apply(T a, T b) {
    return a < b ? a : b;
  }
};

}  // namespace

extern constinit const Instruction min = vector::accumulating_instruction<Smaller>("min", "Min");

}  // namespace vinci::isa
