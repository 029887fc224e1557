// set_atomic_op: how later copies combine with GM, whatever the type.
//
// Sources and decisions: docs/spec/set_atomic_op.md.
#include "core/setter.h"
#include "vinci/record/atomic_op.h"

namespace vinci::isa {
namespace {

using Op = AtomicRegister::Op;

constexpr Support kSupport[] = {
    {kArch2002 | kArch2201 | kArch3002, setter::kNoElements, true, kAscendC}};

void check(const SetAtomicOpRecord& record, Check& check) {
  if (record.op != uint8_t(Op::kAdd) && check.soc().arch->bit != kArch2201) {
    check.fail(Code::kSocInstruction, "this chip only adds", "set_atomic_add");
  }
}

void write(const SetAtomicOpRecord& record, Registers& registers) {
  registers.atomic.op = Op(record.op);
}

}  // namespace

extern constinit const Instruction set_atomic_op =
    setter::setter_instruction<SetAtomicOpRecord, write, check>("set_atomic_op", "set_atomic_op",
                                                                kSupport);

}  // namespace vinci::isa
