// set_hf32_mode: whether later Mmad round float operands to HF32.
//
// Sources and decisions: docs/spec/set_hf32_mode.md.
#include "core/setter.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2201 | kArch3002, setter::kNoElements}};

void write(const SetHf32Record& record, Registers& registers) { registers.hf32.on = record.value; }

}  // namespace

extern constinit const Instruction set_hf32_mode =
    setter::setter_instruction<SetHf32Record, write>("set_hf32_mode", "SetHF32Mode", kSupport);

}  // namespace vinci::isa
