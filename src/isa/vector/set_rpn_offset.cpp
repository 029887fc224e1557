// set_rpn_offset: how much longer a box is than its corners are apart, for vrpac and viou. TIK
// alone has it.
//
// Sources and decisions: docs/spec/set_rpn_offset.md.
#include "core/setter.h"
#include "vinci/float_bits.h"
#include "vinci/record/proposal.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2002, setter::kNoElements, true, kTik}};

void write(const SetProposalRegisterRecord& record, Registers& registers) {
  registers.box_offset = float_of_half(uint16_t(record.value));
}

}  // namespace

extern constinit const Instruction set_rpn_offset =
    setter::setter_instruction<SetProposalRegisterRecord, write>("set_rpn_offset", "set_rpn_offset",
                                                                 kSupport);

}  // namespace vinci::isa
