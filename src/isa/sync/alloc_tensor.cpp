// alloc_tensor: a buffer of a queue, for who fills it.
//
// Sources and decisions: docs/spec/alloc_tensor.md.
#include "core/core.h"
#include "isa/sync/sync.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
namespace {

void act(const QueueRecord& record, Core& core) {
  *record.given = core.buffers().alloc(record.queue);
}

}  // namespace

extern constinit const Instruction alloc_tensor =
    sync::sync_instruction<QueueRecord, act>("alloc_tensor", "AllocTensor", sync::kOfAscendC);

}  // namespace vinci::isa
