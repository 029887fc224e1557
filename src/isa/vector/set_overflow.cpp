// set_overflow: whether half and integer results saturate.
//
// Sources and decisions: docs/spec/set_overflow.md.
#include "core/control.h"
#include "core/setter.h"
#include "vinci/record/vector.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {
    {kArch2002 | kArch2002Vector | kArch2201 | kArch3002, setter::kNoElements}};

void write(const SetSaturationRecord& record, Registers& registers) {
  control::write_bit(registers, ControlRegister::kFloats, !record.saturate);
}

}  // namespace

extern constinit const Instruction set_overflow =
    setter::setter_instruction<SetSaturationRecord, write>("set_overflow", "SetOverflow", kSupport);

}  // namespace vinci::isa
