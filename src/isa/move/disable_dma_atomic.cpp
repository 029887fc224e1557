// disable_dma_atomic: later copies into GM write over what is there again.
//
// Sources and decisions: docs/spec/disable_dma_atomic.md.
#include "core/setter.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {
    {kArch1001 | kArch2002 | kArch2201 | kArch3002, setter::kNoElements}};

void write(const Record&, Registers& registers) { registers.atomic = {}; }

}  // namespace

extern constinit const Instruction disable_dma_atomic =
    setter::setter_instruction<Record, write>("disable_dma_atomic", "DisableDmaAtomic", kSupport);

}  // namespace vinci::isa
