// block_barrier: all blocks of a TIK script come here before one goes on.
//
// Sources and decisions: docs/spec/block_barrier.md.
#include "core/core.h"
#include "isa/sync/sync.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{sync::kAllArchs, setter::kNoElements, true, kTik}};

void act(const Record&, Core& core) { core.meet_cores(true); }

}  // namespace

extern constinit const Instruction block_barrier =
    sync::sync_instruction<Record, act>("block_barrier", "block_barrier", kSupport);

}  // namespace vinci::isa
