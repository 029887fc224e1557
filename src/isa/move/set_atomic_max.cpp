// set_atomic_max: later copies into GM keep the larger of the two.
//
// Sources and decisions: docs/spec/set_atomic_max.md.
#include "isa/move/atomic.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2201, atomic::k2201Types}};

}  // namespace

extern constinit const Instruction set_atomic_max =
    atomic::atomic_instruction<atomic::Op::kMax>("set_atomic_max", "SetAtomicMax", kSupport);

}  // namespace vinci::isa
