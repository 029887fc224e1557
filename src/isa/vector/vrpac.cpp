// vrpac: the areas of region proposals. TIK alone has it.
//
// Sources and decisions: docs/spec/vrpac.md.
#include "isa/family/boxes.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

constexpr BoxSizes kSizes{kProposalsInRepeat, kProposalsInRepeat* kProposalElements, 0};

void compute(const BoxArithmetic& arithmetic, const uint8_t* src, const uint8_t*, uint8_t* dst) {
  arithmetic.write(arithmetic.areas(arithmetic.boxes(src)), dst);
}

}  // namespace

extern constinit const Instruction vrpac = box_instruction<kSizes, compute>("vrpac");

}  // namespace vinci::isa
