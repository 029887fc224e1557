// next_message: an AIC goes round its queues until one has a message for Call, or all have quit.
//
// Sources and decisions: docs/spec/cube_group.md.
#include <algorithm>

#include "isa/sync/cube_message.h"

namespace vinci::isa {
namespace {

constexpr std::string_view kApi = "CreateCubeResGroup";

class Queues {
 public:
  Queues(const CubeQueues& queues, CubeServer& server) : queues_(queues), server_(server) {}

  uint32_t place(uint32_t queue) const { return server_.taken[queue] % CubeQueues::kDepth; }
  uint64_t message(uint32_t queue) const { return queues_.slot(queue, place(queue)); }
  bool have_quit() const {
    return std::all_of(server_.has_quit, server_.has_quit + queues_.count,
                       [](bool has) { return has; });
  }
  // The queue whose message is the next; -1: none has come.
  int due() const {
    for (uint32_t i = 0; i < queues_.count; ++i) {
      const uint32_t queue = (server_.at + i) % queues_.count;
      if (server_.has_quit[queue] || (server_.held[queue] >> place(queue) & 1) != 0) continue;
      const MessageState state = sync::state_of(message(queue));
      if (state == MessageState::kFree) continue;
      if (state == MessageState::kFake && may_be_merged(queue)) continue;
      return int(queue);
    }
    return -1;
  }
  // "0, 3", among the group's.
  std::string left() const {
    std::string text;
    for (uint32_t queue = 0; queue < queues_.count; ++queue) {
      if (server_.has_quit[queue]) continue;
      text += fmt::format("{}{}", text.empty() ? "" : ", ", queues_.first + queue);
    }
    return text;
  }

  void call(uint32_t queue) {
    server_.called = int16_t(queue);
    server_.held[queue] |= uint8_t(1u << place(queue));
  }
  // Call has had its message, which stands for those of the next queues, too.
  void end_call() {
    if (server_.called < 0) return;
    pass(uint32_t(server_.called), server_.skipped);
    server_.called = CubeServer::kNone;
    server_.skipped = 0;
  }
  void pass(uint32_t first, uint32_t more) {
    const uint32_t end = std::min(first + 1 + more, queues_.count);
    for (uint32_t queue = first; queue < end; ++queue) ++server_.taken[queue];
    server_.at = end % queues_.count;
  }
  void quit(uint32_t queue) { server_.has_quit[queue] = true; }

 private:
  // A queue before this one may still bring, at the same place, the message that stands for this
  // FAKE one, and whose Call frees it.
  bool may_be_merged(uint32_t queue) const {
    for (uint32_t before = 0; before < queue; ++before) {
      if (!server_.has_quit[before] && server_.taken[before] <= server_.taken[queue]) return true;
    }
    return false;
  }

  const CubeQueues queues_;
  CubeServer& server_;
};

void drop(uint64_t message, Core& core) {
  const int32_t head = sync::load(sync::head_of(message));
  sync::set_head(core, message, sync::with_state(head, MessageState::kFree));
}

void act(const NextMessageRecord& record, Core& core) {
  const CubeHandle& handle = *record.handle;
  Queues queues(handle.group.queues_of(uint32_t(handle.aic)), *handle.server);
  core.drain_pipes();
  queues.end_call();
  *record.message = 0;
  while (!queues.have_quit()) {
    core.wait_for_others([&queues] { return queues.due() >= 0; }, Code::kDeadlock,
                         fmt::format("{}: no message comes in queue {}", kApi, queues.left()),
                         "SetQuit at the end of each queue");
    const auto queue = uint32_t(queues.due());
    const uint64_t message = queues.message(queue);
    const MessageState state = sync::legal_state_of(core, kApi, message);
    sync::hear_message(core, message);
    if (state == MessageState::kValid) {
      queues.call(queue);
      *record.message = message;
      return;
    }
    if (state == MessageState::kQuit) {
      queues.quit(queue);
    } else {
      drop(message, core);
      queues.pass(queue, 0);
    }
  }
}

}  // namespace

extern constinit const Instruction next_message = sync::sync_instruction<NextMessageRecord, act>(
    "next_message", "CreateCubeResGroup", sync::kCubeGroupChips);

}  // namespace vinci::isa
