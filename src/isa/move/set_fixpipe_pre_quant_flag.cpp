// set_fixpipe_pre_quant_flag: the scale word for later DataCopy out of L0C.
//
// Sources and decisions: docs/spec/set_fixpipe_pre_quant_flag.md.
#include "core/setter.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2201 | kArch3002, setter::kNoElements}};

void write(const SetFixpipePreQuantRecord& record, Registers& registers) {
  registers.fixpipe.scale = record.scale;
  registers.fixpipe.has_scale = true;
}

}  // namespace

extern constinit const Instruction set_fixpipe_pre_quant_flag =
    setter::setter_instruction<SetFixpipePreQuantRecord, write>("set_fixpipe_pre_quant_flag",
                                                                "SetFixpipePreQuantFlag", kSupport);

}  // namespace vinci::isa
