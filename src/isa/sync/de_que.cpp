// de_que: takes the tensor that waits longest, once it is filled.
//
// Sources and decisions: docs/spec/de_que.md.
#include "core/core.h"
#include "isa/sync/sync.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
namespace {

void act(const QueueRecord& record, Core& core) {
  *record.given = core.buffers().deque(record.queue, record.ends);
}

}  // namespace

extern constinit const Instruction de_que =
    sync::sync_instruction<QueueRecord, act>("de_que", "DeQue", sync::kOfAscendC);

}  // namespace vinci::isa
