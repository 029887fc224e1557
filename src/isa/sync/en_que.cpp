// en_que: hands a tensor on to who empties it, once it is filled.
//
// Sources and decisions: docs/spec/en_que.md.
#include "core/core.h"
#include "isa/sync/sync.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
namespace {

void act(const QueueRecord& record, Core& core) {
  core.buffers().enque(record.queue, record.tensor, record.ends);
}

}  // namespace

extern constinit const Instruction en_que =
    sync::sync_instruction<QueueRecord, act>("en_que", "EnQue", sync::kOfAscendC);

}  // namespace vinci::isa
