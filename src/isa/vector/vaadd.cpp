// vaadd: sums of each of 16 areas with each of 16 others. TIK alone has it.
//
// Sources and decisions: docs/spec/vaadd.md.
#include "isa/family/boxes.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

constexpr BoxSizes kSizes{kProposalsInRepeat * kProposalsInRepeat, kProposalsInRepeat,
                          kProposalsInRepeat};

void compute(const BoxArithmetic& arithmetic, const uint8_t* src0, const uint8_t* src1,
             uint8_t* dst) {
  const Sixteen others = arithmetic.numbers(src1);
  for (float one : arithmetic.numbers(src0)) {
    arithmetic.write(arithmetic.sums(one, others), dst);
    dst += kProposalsInRepeat * arithmetic.element_bytes();
  }
}

}  // namespace

extern constinit const Instruction vaadd = box_instruction<kSizes, compute>("vaadd");

}  // namespace vinci::isa
