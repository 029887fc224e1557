// free_tensor: gives a buffer back to its queue, once it is emptied.
//
// Sources and decisions: docs/spec/free_tensor.md.
#include "core/core.h"
#include "isa/sync/sync.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
namespace {

void act(const QueueRecord& record, Core& core) {
  core.buffers().free(record.queue, record.tensor);
}

}  // namespace

extern constinit const Instruction free_tensor =
    sync::sync_instruction<QueueRecord, act>("free_tensor", "FreeTensor", sync::kOfAscendC);

}  // namespace vinci::isa
