// bitwise_or: dst[i] = src0[i] | src1[i], bit by bit.
//
// Sources and decisions: docs/spec/bitwise_or.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

struct Disjunction {
  static uint16_t apply(uint16_t a, uint16_t b) { return a | b; }
};

}  // namespace

extern constinit const Instruction bitwise_or =
    vector::binary_instruction<Disjunction, vector::kBitsEverywhere>("bitwise_or", "Or");

}  // namespace vinci::isa
