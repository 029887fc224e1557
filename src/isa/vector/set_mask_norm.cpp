// set_mask_norm: later vector calls read MASK as a bit for each lane.
//
// Sources and decisions: docs/spec/set_mask_norm.md.
#include "core/setter.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {
    {kArch2002 | kArch2002Vector | kArch2201 | kArch3002, setter::kNoElements}};

void write(const Record&, Registers& registers) { registers.mask.counter = false; }

}  // namespace

extern constinit const Instruction set_mask_norm =
    setter::setter_instruction<Record, write>("set_mask_norm", "SetMaskNorm", kSupport);

}  // namespace vinci::isa
