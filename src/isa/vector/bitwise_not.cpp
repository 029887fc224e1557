// bitwise_not: dst[i] = ~src[i].
//
// Sources and decisions: docs/spec/bitwise_not.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

struct Complement {
  static uint16_t apply(uint16_t x) { return uint16_t(~x); }
};

}  // namespace

extern constinit const Instruction bitwise_not =
    vector::unary_instruction<Complement, vector::kBitsEverywhere>("bitwise_not", "Not");

}  // namespace vinci::isa
