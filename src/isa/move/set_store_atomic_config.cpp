// set_store_atomic_config: later copies into GM add to what is there.
//
// Sources and decisions: docs/spec/set_store_atomic_config.md.
#include "isa/move/atomic.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2201, atomic::k2201Types, true, kAscendC},
                                {kArch3002, atomic::k3002Types, true, kAscendC}};

}  // namespace

extern constinit const Instruction set_store_atomic_config =
    atomic::atomic_instruction<atomic::Op::kAdd>("set_store_atomic_config", "SetStoreAtomicConfig",
                                                 kSupport);

}  // namespace vinci::isa
