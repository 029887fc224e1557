#include "isa/operator/atomic_output.h"

#include "vinci/record/move.h"

namespace vinci::isa {

extern const Instruction disable_dma_atomic;
extern const Instruction set_atomic_add;
extern const Instruction set_atomic_max;
extern const Instruction set_atomic_min;

using Op = AtomicRegister::Op;

AtomicOutput::AtomicOutput(Op wanted, DType dtype, Core& core)
    : core_(core), wanted_(wanted), before_(core.registers().atomic) {
  if (wanted != Op::kNone) set({wanted, dtype});
}

void AtomicOutput::end() {
  if (wanted_ != Op::kNone) set(before_);
}

void AtomicOutput::set(const AtomicRegister& to) {
  if (to.op == Op::kNone) return core_.issue(Record{&disable_dma_atomic});
  SetAtomicRecord record;
  record.dtype = to.dtype;
  record.instruction = to.op == Op::kAdd   ? &set_atomic_add
                       : to.op == Op::kMax ? &set_atomic_max
                                           : &set_atomic_min;
  core_.issue(record);
}

}  // namespace vinci::isa
