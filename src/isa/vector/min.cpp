// min: the smaller of src0[i] and src1[i].
//
// Sources and decisions: docs/spec/min.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

struct Smaller {
  // NaN if one of them is; of two zeros -0, if there is one.
  static float apply(float a, float b) {
    const float same = float_of_bits(bits_of_float(a) | bits_of_float(b));
    const float ordered = a == b ? same : a < b ? a : b;
    return a != a ? a : b != b ? b : ordered;
  }
  template <class T>
  static T apply(T a, T b) {
    return a < b ? a : b;
  }
};

}  // namespace

extern constinit const Instruction min = vector::accumulating_instruction<Smaller>("min", "Min");

}  // namespace vinci::isa
