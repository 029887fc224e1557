// await_message: an AIV waits until a message that it has posted is freed, or asks whether it is.
//
// Sources and decisions: docs/spec/cube_group.md.
#include "isa/sync/cube_message.h"

namespace vinci::isa {
namespace {

constexpr std::string_view kApi = "CubeResGroupHandle::Wait";

void act(const AwaitMessageRecord& record, Core& core) {
  if (!sync::takes_part(core)) return;
  core.drain_pipes();
  const CubeHandle& handle = *record.handle;
  const auto [queues, index] = sync::own_queue(core, kApi, handle);
  if (record.offset % queues.count != 0 || record.offset / queues.count >= CubeQueues::kDepth) {
    sync::refuse(core, Code::kRange, fmt::format("{}: offset is {}", kApi, record.offset),
                 "what PostMessage or PostFakeMsg returned");
  }
  const uint64_t message = queues.slot(index, record.offset / queues.count);
  if (record.waits) {
    sync::await_state(core, message, MessageState::kFree,
                      fmt::format("{}: the message of queue {} is not freed", kApi, handle.queue),
                      "FreeMessage of each message");
  } else {
    // It may be asked again and again.
    sync::let_round_end(core);
  }
  *record.is_free = sync::legal_state_of(core, kApi, message) == MessageState::kFree;
  if (*record.is_free) sync::hear_message(core, message);
}

}  // namespace

extern constinit const Instruction await_message = sync::sync_instruction<AwaitMessageRecord, act>(
    "await_message", "CubeResGroupHandle::Wait", sync::kCubeGroupChips);

}  // namespace vinci::isa
