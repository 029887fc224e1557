// set_atomic_min: later copies into GM keep the smaller of the two.
//
// Sources and decisions: docs/spec/set_atomic_min.md.
#include "isa/move/atomic.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2201, atomic::k2201Types}};

}  // namespace

extern constinit const Instruction set_atomic_min =
    atomic::atomic_instruction<atomic::Op::kMin>("set_atomic_min", "SetAtomicMin", kSupport);

}  // namespace vinci::isa
