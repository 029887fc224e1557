// pipe_barrier: what a pipe, or all, were given is over before they start what comes.
//
// Sources and decisions: docs/spec/pipe_barrier.md.
#include "core/core.h"
#include "isa/sync/sync.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
namespace {

void act(const PipeBarrierRecord& record, Core& core) {
  core.pipe_barrier(record.pipe);
  core.forget_step();
}

}  // namespace

extern constinit const Instruction pipe_barrier =
    sync::sync_instruction<PipeBarrierRecord, act>("pipe_barrier", "PipeBarrier");

}  // namespace vinci::isa
