// viou: the area that each of 16 region proposals has in common with each of 16 others. TIK alone
// has it.
//
// Sources and decisions: docs/spec/viou.md.
#include "isa/family/boxes.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

constexpr unsigned kProposals = kProposalsInRepeat * kProposalElements;
constexpr BoxSizes kSizes{kProposalsInRepeat * kProposalsInRepeat, kProposals, kProposals};

float larger(float a, float b) { return a > b ? a : b; }
float smaller(float a, float b) { return a < b ? a : b; }

// What box `i` of `some` has in common with each of `others`; sides may come out negative.
Boxes common(const Boxes& some, unsigned i, Boxes others) {
  for (unsigned j = 0; j < kProposalsInRepeat; ++j) {
    others.left[j] = larger(some.left[i], others.left[j]);
    others.top[j] = larger(some.top[i], others.top[j]);
    others.right[j] = smaller(some.right[i], others.right[j]);
    others.bottom[j] = smaller(some.bottom[i], others.bottom[j]);
  }
  return others;
}

void compute(const BoxArithmetic& arithmetic, const uint8_t* src0, const uint8_t* src1,
             uint8_t* dst) {
  const Boxes some = arithmetic.boxes(src0), others = arithmetic.boxes(src1);
  for (unsigned i = 0; i < kProposalsInRepeat; ++i) {
    arithmetic.write(arithmetic.areas(common(some, i, others), 0), dst);
    dst += kProposalsInRepeat * arithmetic.element_bytes();
  }
}

}  // namespace

extern constinit const Instruction viou = box_instruction<kSizes, compute>("viou");

}  // namespace vinci::isa
