// set_load_data_repeat: how often later LoadData 3D v2 calls repeat their block, and how far apart.
//
// Sources and decisions: docs/spec/set_load_data_repeat.md.
#include "core/setter.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2201 | kArch3002, setter::kNoElements}};

void check(const SetLoadRepeatRecord& record, Check& check) {
  check.range("repeatMode", record.mode, 0, 1);
  check.range("repeatTime", record.times, 0, 255);
}

void write(const SetLoadRepeatRecord& record, Registers& registers) {
  registers.load_repeat = {record.stride, uint8_t(record.times), record.mode};
}

}  // namespace

extern constinit const Instruction set_load_data_repeat =
    setter::setter_instruction<SetLoadRepeatRecord, write, check>("set_load_data_repeat",
                                                                  "SetLoadDataRepeat", kSupport);

}  // namespace vinci::isa
