// set_ctrl_spr: a bit of the CTRL register.
//
// Sources and decisions: docs/spec/set_ctrl_spr.md.
#include <fmt/format.h>

#include "core/control.h"
#include "core/setter.h"
#include "vinci/record/vector.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2201, setter::kNoElements}};

void check(const SetCtrlRecord& record, Check& check) {
  if (record.first != record.last || !ControlRegister::has(record.first)) {
    check.fail(Code::kRange, fmt::format("bits {}..{} of CTRL", record.first, record.last),
               "48, 53 or 59 alone");
  } else {
    check.range("value", record.value, 0, 1);
  }
}

void write(const SetCtrlRecord& record, Registers& registers) {
  control::write_bit(registers, unsigned(record.first), record.value != 0);
}

}  // namespace

extern constinit const Instruction set_ctrl_spr =
    setter::setter_instruction<SetCtrlRecord, write, check>("set_ctrl_spr", "SetCtrlSpr", kSupport);

}  // namespace vinci::isa
