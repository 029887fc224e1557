// set_mask_count: later vector calls read MASK as a number of elements.
//
// Sources and decisions: docs/spec/set_mask_count.md.
#include "core/setter.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {
    {kArch2002 | kArch2002Vector | kArch2201 | kArch3002, setter::kNoElements}};

void write(const Record&, Registers& registers) { registers.mask.counter = true; }

}  // namespace

extern constinit const Instruction set_mask_count =
    setter::setter_instruction<Record, write>("set_mask_count", "SetMaskCount", kSupport);

}  // namespace vinci::isa
