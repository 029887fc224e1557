// set_saturation_flag: whether results that their type cannot hold saturate, for one kind of
// computation.
//
// Sources and decisions: docs/spec/set_saturation_flag.md.
#include <fmt/format.h>

#include "core/control.h"
#include "core/setter.h"
#include "vinci/record/vector.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2201, setter::kNoElements}};

void check(const SetSaturationRecord& record, Check& check) {
  if (!ControlRegister::has(record.mode)) {
    check.fail(Code::kSocInstruction, fmt::format("{} has no such mode", check.soc().name),
               "SaturationMode FLOAT, INT or CAST");
  }
}

void write(const SetSaturationRecord& record, Registers& registers) {
  const bool saturates_at = record.mode == ControlRegister::kIntegers;
  control::write_bit(registers, record.mode, record.saturate == saturates_at);
}

}  // namespace

extern constinit const Instruction set_saturation_flag =
    setter::setter_instruction<SetSaturationRecord, write, check>("set_saturation_flag",
                                                                  "SetSaturationFlag", kSupport);

}  // namespace vinci::isa
