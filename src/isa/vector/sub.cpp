// sub: dst[i] = src0[i] - src1[i].
//
// Sources and decisions: docs/spec/sub.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

struct Difference {
  static constexpr bool kOverflows = true;
  template <class T>
  static T apply(T a, T b) {
    return T(a - b);
  }
};

}  // namespace

extern constinit const Instruction sub = vector::accumulating_instruction<Difference>("sub", "Sub");

}  // namespace vinci::isa
