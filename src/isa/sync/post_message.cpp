// post_message: an AIV writes a message, if it has one, and then its state, which its AIC sees.
//
// Sources and decisions: docs/spec/cube_group.md.
#include "isa/sync/cube_message.h"

namespace vinci::isa {

extern const Instruction write_message;

namespace {

constexpr int kScalarMode = 0, kMte3Mode = 1;

// The place in the core's queue that the message has; the kernel ends if it has none.
uint32_t place_of(const MessageStateRecord& record, const sync::OwnQueue& own, Core& core) {
  uint32_t slot = 0;
  if (own.queues.holds(record.message, slot) && slot % own.queues.count == own.index) {
    return slot / own.queues.count;
  }
  sync::refuse(core, Code::kRange,
               fmt::format("{}: the message is none of queue {}", record.api, record.handle->queue),
               "what AllocMessage returned");
}

void check_mode(const MessageStateRecord& record, int allocated, Core& core) {
  if (allocated == CubeHandle::kNone) {
    sync::refuse(core, Code::kCombination,
                 fmt::format("{}: the message has been posted already", record.api),
                 "an AllocMessage for each message");
  }
  const bool is_message = record.mode != CubeHandle::kNone;
  if (allocated == (is_message ? record.mode : kScalarMode)) return;
  sync::refuse(core, Code::kCombination,
               fmt::format("{}: AllocMessage had another pipeMode", record.api),
               is_message ? "the same pipeMode for both" : "PostMessage after MTE3_MODE");
}

void write(const MessageStateRecord& record, Core& core) {
  const Operand to{record.message, kUnknownExtent, 0, Position::GM, DType::kNone};
  core.issue(WriteMessageRecord{{&write_message},
                                to,
                                record.source,
                                record.handle->group.message_bytes,
                                record.mode == kMte3Mode});
}

void act(const MessageStateRecord& record, Core& core) {
  if (!sync::takes_part(core)) return;
  const sync::OwnQueue own = sync::own_queue(core, record.api, *record.handle);
  const uint32_t place = place_of(record, own, core);
  check_mode(record, record.handle->allocated[place], core);
  const auto state = MessageState(uint8_t(record.head));
  if (state == MessageState::kFree || !sync::is_state(state)) {
    sync::refuse(core, Code::kCombination,
                 fmt::format("{}: msgState is {}", record.api, int(state)), "CubeMsgState::VALID");
  }
  if (record.source != nullptr) write(record, core);
  core.drain_pipes();
  sync::set_head(core, record.message, int32_t(record.head));
  record.handle->allocated[place] = CubeHandle::kNone;
  *record.offset = uint16_t(place * own.queues.count);
}

}  // namespace

extern constinit const Instruction post_message = sync::sync_instruction<MessageStateRecord, act>(
    "post_message", "PostMessage", sync::kCubeGroupChips);

}  // namespace vinci::isa
