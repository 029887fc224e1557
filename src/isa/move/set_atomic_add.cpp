// set_atomic_add: later copies into GM add to what is there.
//
// Sources and decisions: docs/spec/set_atomic_add.md.
#include "isa/move/atomic.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch1001, atomic::kFloat},
                                {kArch2002, atomic::k2002Types},
                                {kArch2201, atomic::k2201Types},
                                {kArch3002, atomic::k3002Types}};

}  // namespace

extern constinit const Instruction set_atomic_add =
    atomic::atomic_instruction<atomic::Op::kAdd>("set_atomic_add", "SetAtomicAdd", kSupport);

}  // namespace vinci::isa
