// add: dst[i] = src0[i] + src1[i].
//
// Sources and decisions: docs/spec/add.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

struct Sum {
  static constexpr bool kOverflows = true;
  template <class T>
  static T apply(T a, T b) {
    return T(a + b);
  }
};

}  // namespace

extern constinit const Instruction add = vector::accumulating_instruction<Sum>("add", "Add");

}  // namespace vinci::isa
