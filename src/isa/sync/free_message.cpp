// free_message: an AIC is done with a message, and its slot is free for another one.
//
// Sources and decisions: docs/spec/cube_group.md.
#include "isa/sync/cube_message.h"

namespace vinci::isa {
namespace {

constexpr std::string_view kApi = "FreeMessage";

void check_state(const MessageStateRecord& record, Core& core) {
  const auto awaited = MessageState(record.awaited);
  const bool is_legal =
      record.awaited < 0 || awaited == MessageState::kValid || awaited == MessageState::kFake;
  if (is_legal) return;
  sync::refuse(core, Code::kRange, fmt::format("{}: waitState is {}", kApi, record.awaited),
               "CubeMsgState::VALID or FAKE");
}

void act(const MessageStateRecord& record, Core& core) {
  const CubeHandle& handle = *record.handle;
  if (handle.server == nullptr) {
    sync::refuse(core, Code::kCombination, fmt::format("{}: outside of Call", kApi),
                 "in Call, with its handle");
  }
  check_state(record, core);
  const CubeQueues queues = handle.group.queues_of(uint32_t(handle.aic));
  uint32_t slot = 0;
  if (!queues.holds(record.message, slot)) {
    sync::refuse(core, Code::kRange, fmt::format("{}: the message is none of this AIC's", kApi),
                 "rcvMsg, or a message behind it in the same place of another queue");
  }
  core.drain_pipes();
  const uint32_t queue = queues.first + slot % queues.count;
  if (record.awaited >= 0) {
    sync::await_state(core, record.message, MessageState(record.awaited),
                      fmt::format("{}: the message of queue {} does not get the state {}", kApi,
                                  queue, record.awaited),
                      "PostFakeMsg for each message that another one stands for");
  } else if (sync::state_of(record.message) == MessageState::kFree) {
    sync::refuse(core, Code::kCombination,
                 fmt::format("{}: queue {} has no message there", kApi, queue),
                 "once for each message; waitState for one that may come later");
  }
  sync::legal_state_of(core, kApi, record.message);
  sync::hear_message(core, record.message);
  handle.server->held[slot % queues.count] &= uint8_t(~(1u << slot / queues.count));
  const int32_t head = sync::load(sync::head_of(record.message));
  sync::set_head(core, record.message, sync::with_state(head, MessageState::kFree));
  *record.offset = uint16_t(slot - slot % queues.count);
}

}  // namespace

extern constinit const Instruction free_message = sync::sync_instruction<MessageStateRecord, act>(
    "free_message", "FreeMessage", sync::kCubeGroupChips);

}  // namespace vinci::isa
