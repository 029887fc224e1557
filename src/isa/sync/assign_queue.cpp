// assign_queue: an AIV takes one of a cube group's queues.
//
// Sources and decisions: docs/spec/cube_group.md.
#include "core/cores/cross_flags.h"
#include "isa/sync/cube_message.h"

namespace vinci::isa {
namespace {

// Another AIV that has taken the queue whose first message this is, or -1.
int64_t other_owner(const Core& core, uint64_t message) {
  const CrossFlags* flags = core.seat().flags;
  if (flags == nullptr) return -1;
  const int32_t* const words[] = {sync::head_of(message)};
  for (const Told& told : flags->tellers_of(words)) {
    const bool is_aiv = core.seat().grid.kind_of(told.core) == CoreKind::kAiv;
    if (is_aiv && told.core != core.core_index()) return told.core;
  }
  return -1;
}

void act(const CubeHandleRecord& record, Core& core) {
  if (!sync::takes_part(core)) return;
  CubeHandle& handle = *record.handle;
  if (handle.group.queues == 0) {
    sync::refuse(core, Code::kCombination, "AssignQueue: the handle has no group",
                 "CreateCubeResGroup before it");
  }
  if (record.argument >= handle.group.queues) {
    sync::refuse(core, Code::kRange, fmt::format("AssignQueue: queueIdIn is {}", record.argument),
                 fmt::format("0..{}", handle.group.queues - 1));
  }
  handle.queue = int16_t(record.argument);
  const auto [queues, index] = sync::own_queue(core, "AssignQueue", handle);
  // To have told by the head of the first message that it is its own is all that the core leaves.
  core.store_for_others(sync::head_of(queues.slot(index, 0)), 0, true);
  sync::let_round_end(core);
  const int64_t other = other_owner(core, queues.slot(index, 0));
  if (other < 0) return;
  sync::refuse(core, Code::kCombination,
               fmt::format("AssignQueue: queue {} is that of core {}, too", handle.queue, other),
               "a queue of its own for each AIV");
}

}  // namespace

extern constinit const Instruction assign_queue = sync::sync_instruction<CubeHandleRecord, act>(
    "assign_queue", "AssignQueue", sync::kCubeGroupChips);

}  // namespace vinci::isa
