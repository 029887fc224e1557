// set_hf32_trans_mode: where Mmad in HF32 mode rounds ties to.
//
// Sources and decisions: docs/spec/set_hf32_trans_mode.md.
#include "core/setter.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2201 | kArch3002, setter::kNoElements}};

void write(const SetHf32Record& record, Registers& registers) {
  registers.hf32.ties_away = record.value;
}

}  // namespace

extern constinit const Instruction set_hf32_trans_mode =
    setter::setter_instruction<SetHf32Record, write>("set_hf32_trans_mode", "SetHF32TransMode",
                                                     kSupport);

}  // namespace vinci::isa
