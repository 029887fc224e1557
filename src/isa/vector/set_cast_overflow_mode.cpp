// set_cast_overflow_mode: whether conversions to integers clamp or keep the low bits.
//
// Sources and decisions: docs/spec/set_cast_overflow_mode.md.
#include "core/control.h"
#include "core/setter.h"
#include "vinci/record/vector.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2002 | kArch2201 | kArch3002, setter::kNoElements}};

void write(const SetSaturationRecord& record, Registers& registers) {
  control::write_bit(registers, ControlRegister::kCasts, !record.saturate);
}

}  // namespace

extern constinit const Instruction set_cast_overflow_mode =
    setter::setter_instruction<SetSaturationRecord, write>("set_cast_overflow_mode",
                                                           "SetCastOverflowMode", kSupport);

}  // namespace vinci::isa
