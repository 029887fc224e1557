// set_fix_pipe_config: the scales in FB for later DataCopy out of L0C.
//
// Sources and decisions: docs/spec/set_fix_pipe_config.md.
#include "core/setter.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2201 | kArch3002, setter::kNoElements}};

// Kernels that clear the unit flags alone name the tensor in L0C.
bool flag_alone(const SetFixPipeConfigRecord& record) {
  return record.unit_flag && record.quant.position == Position::CO1;
}

void check(const SetFixPipeConfigRecord& record, Check& check) {
  if (record.relu.bytes != 0) {
    check.fail(Code::kCombination, "a tensor for ReLU", "an empty reluPre, and setRelu = false");
    return;
  }
  if (flag_alone(record)) return;
  check.in_space("quantPre", record.quant, Space::kFb);
  if (check.ok()) check.aligned("quantPre", record.quant);
}

void write(const SetFixPipeConfigRecord& record, Registers& registers) {
  if (!flag_alone(record)) registers.fixpipe.scales = record.quant;
  registers.fixpipe.unit_flag = record.unit_flag;
}

}  // namespace

extern constinit const Instruction set_fix_pipe_config =
    setter::setter_instruction<SetFixPipeConfigRecord, write, check>("set_fix_pipe_config",
                                                                     "SetFixPipeConfig", kSupport);

}  // namespace vinci::isa
