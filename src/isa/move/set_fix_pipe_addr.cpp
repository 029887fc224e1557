// set_fix_pipe_addr: the tensor of L1 that later DataCopy out of L0C with eltWiseOp adds or
// subtracts.
//
// Sources and decisions: docs/spec/set_fix_pipe_addr.md.
#include "core/setter.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

constexpr Signature kTypes[] = {DType::kHalf};
constexpr Support kSupport[] = {{kArch3002, kTypes}};

Signature signature(const SetFixPipeAddrRecord& record) { return record.element_wise.dtype; }

void check(const SetFixPipeAddrRecord& record, Check& check) {
  check.in_space("eleWiseData", record.element_wise, Space::kL1);
  if (check.ok()) check.aligned("eleWiseData", record.element_wise);
}

void write(const SetFixPipeAddrRecord& record, Registers& registers) {
  registers.fixpipe.element_wise = record.element_wise;
  registers.fixpipe.element_wise_stride = record.c0_stride;
}

}  // namespace

extern constinit const Instruction set_fix_pipe_addr =
    setter::setter_instruction<SetFixPipeAddrRecord, write, check, signature>(
        "set_fix_pipe_addr", "SetFixPipeAddr", kSupport);

}  // namespace vinci::isa
