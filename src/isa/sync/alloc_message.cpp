// alloc_message: an AIV waits until the next place of its queue is free.
//
// Sources and decisions: docs/spec/cube_group.md.
#include "isa/sync/cube_message.h"

namespace vinci::isa {
namespace {

constexpr std::string_view kApi = "AllocMessage";

void act(const AwaitMessageRecord& record, Core& core) {
  if (!sync::takes_part(core)) return;
  core.drain_pipes();
  CubeHandle& handle = *record.handle;
  const auto [queues, index] = sync::own_queue(core, kApi, handle);
  const uint32_t place = handle.next;
  const uint64_t message = queues.slot(index, place);
  sync::await_state(core, message, MessageState::kFree,
                    fmt::format("{}: the message at place {} of queue {} is not freed", kApi, place,
                                handle.queue),
                    "FreeMessage of each message");
  sync::legal_state_of(core, kApi, message);
  sync::hear_message(core, message);
  handle.next = uint8_t((place + 1) % CubeQueues::kDepth);
  handle.allocated[place] = int8_t(record.mode);
  *record.message = message;
}

}  // namespace

extern constinit const Instruction alloc_message = sync::sync_instruction<AwaitMessageRecord, act>(
    "alloc_message", "AllocMessage", sync::kCubeGroupChips);

}  // namespace vinci::isa
