// set_atomic_type: the type in which later copies combine with GM.
//
// Sources and decisions: docs/spec/set_atomic_type.md.
#include "isa/move/atomic.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2002, atomic::k2002Types},
                                {kArch2201, atomic::k2201Types},
                                {kArch3002, atomic::k3002Types}};

void write(const SetAtomicRecord& record, Registers& registers) {
  registers.atomic.dtype = record.dtype;
}

}  // namespace

extern constinit const Instruction set_atomic_type =
    setter::setter_instruction<SetAtomicRecord, write, setter::no_rules<SetAtomicRecord>,
                               setter::dtype_signature<SetAtomicRecord>>("set_atomic_type",
                                                                         "SetAtomicType", kSupport);

}  // namespace vinci::isa
