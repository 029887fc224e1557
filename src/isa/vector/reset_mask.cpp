// reset_mask: the MASK register enables all lanes.
//
// Sources and decisions: docs/spec/reset_mask.md.
#include "core/setter.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {
    {kArch1000 | kArch1001 | kArch2002 | kArch2002Vector | kArch2201 | kArch3002,
     setter::kNoElements}};

void write(const Record&, Registers& registers) {
  registers.mask.bits[0] = registers.mask.bits[1] = ~uint64_t{0};
}

}  // namespace

extern constinit const Instruction reset_mask =
    setter::setter_instruction<Record, write>("reset_mask", "ResetMask", kSupport);

}  // namespace vinci::isa
