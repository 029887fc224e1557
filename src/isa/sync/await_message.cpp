// await_message: an AIV waits until a message that it has posted is freed, or asks whether it is.
//
// Sources and decisions: docs/spec/cube_group.md.
#include <string>
#include <utility>

#include "isa/sync/cube_message.h"

namespace vinci::isa {
namespace {

constexpr std::string_view kApi = "CubeResGroupHandle::Wait";
constexpr std::string_view kLegal = "FreeMessage of each message";

// Others go on first. A core that has done nothing since it asked the last time may wait in vain.
void let_others_go_on(CubeHandle& handle, const std::string& text, Core& core) {
  const Seat& seat = core.seat();
  if (seat.rounds == nullptr) return;
  const Origin origin = call_origin();
  const auto tell = [&] { core.note(Code::kDeadlock, text, std::string(kLegal), &origin); };
  const uint64_t steps = core.steps();
  const bool is_idle = std::exchange(handle.asked_at, steps) + 1 == steps;
  if (!seat.rounds->wait(seat.core, {nullptr, tell, is_idle})) core.stop();
}

void act(const AwaitMessageRecord& record, Core& core) {
  if (!sync::takes_part(core)) return;
  core.drain_pipes();
  CubeHandle& handle = *record.handle;
  const auto [queues, index] = sync::own_queue(core, kApi, handle);
  if (record.offset % queues.count != 0 || record.offset / queues.count >= CubeQueues::kDepth) {
    sync::refuse(core, Code::kRange, fmt::format("{}: offset is {}", kApi, record.offset),
                 "what PostMessage or PostFakeMsg returned");
  }
  const uint64_t message = queues.slot(index, record.offset / queues.count);
  const std::string text =
      fmt::format("{}: the message of queue {} is not freed", kApi, handle.queue);
  if (record.waits) {
    sync::await_state(core, message, MessageState::kFree, text, std::string(kLegal));
  } else {
    let_others_go_on(handle, text, core);
  }
  *record.is_free = sync::legal_state_of(core, kApi, message) == MessageState::kFree;
  if (*record.is_free) sync::hear_message(core, message);
}

}  // namespace

extern constinit const Instruction await_message = sync::sync_instruction<AwaitMessageRecord, act>(
    "await_message", "CubeResGroupHandle::Wait", sync::kCubeGroupChips);

}  // namespace vinci::isa
