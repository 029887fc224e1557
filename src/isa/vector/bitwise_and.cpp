// bitwise_and: dst[i] = src0[i] & src1[i], bit by bit.
//
// Sources and decisions: docs/spec/bitwise_and.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

struct Conjunction {
  static uint16_t apply(uint16_t a, uint16_t b) { return a & b; }
};

}  // namespace

extern constinit const Instruction bitwise_and =
    vector::binary_instruction<Conjunction, vector::kBitsEverywhere>("bitwise_and", "And");

}  // namespace vinci::isa
