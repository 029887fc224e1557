// bitwise_and: dst[i] = src0[i] & src1[i], bit by bit.
//
// Sources and decisions: docs/spec/bitwise_and.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

struct Conjunction {
  template <class T>
  static T apply(T a, T b) {
    return T(a & b);
  }
};

}  // namespace

extern constinit const Instruction bitwise_and =
    vector::bits_instruction<Conjunction>("bitwise_and", "And");

}  // namespace vinci::isa
