// set_fix_pipe_config: the scales in FB for later DataCopy out of L0C.
//
// Sources and decisions: docs/spec/set_fix_pipe_config.md.
#include "core/core.h"
#include "core/instruction.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

constexpr Signature kTypes[] = {Signature()};
constexpr Support kSupport[] = {{kArch2201 | kArch3002, kTypes}};

Signature signature(const SetFixPipeConfigRecord&) { return {}; }
Pipe pipe(const SetFixPipeConfigRecord&, const Soc&) { return Pipe::kS; }

void check(const SetFixPipeConfigRecord& record, Check& check) {
  if (record.relu.bytes != 0) {
    check.fail(Code::kCombination, "a tensor for ReLU", "an empty reluPre, and setRelu = false");
    return;
  }
  check.in_space("quantPre", record.quant, Space::kFb);
  if (check.ok()) check.aligned("quantPre", record.quant);
}

void footprint(const SetFixPipeConfigRecord&, Core&, Footprint&) {}

void execute(const SetFixPipeConfigRecord& record, Core& core) {
  core.registers().fixpipe.scales = record.quant;
}

}  // namespace

extern constinit const Instruction set_fix_pipe_config =
    make_instruction<SetFixPipeConfigRecord, signature, pipe, check, footprint, execute>(
        "set_fix_pipe_config", "SetFixPipeConfig", "SetFixPipeConfig", kSupport);

}  // namespace vinci::isa
