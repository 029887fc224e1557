// bitwise_or: dst[i] = src0[i] | src1[i], bit by bit.
//
// Sources and decisions: docs/spec/bitwise_or.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

struct Disjunction {
  template <class T>
  static T apply(T a, T b) {
    return T(a | b);
  }
};

}  // namespace

extern constinit const Instruction bitwise_or =
    vector::bits_instruction<Disjunction>("bitwise_or", "Or");

}  // namespace vinci::isa
