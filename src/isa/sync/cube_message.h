// What the two sides of a cube group's queues have in common: the state of a message, which is a
// byte in GM that one core at a time may change.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "isa/sync/workspace.h"
#include "vinci/record/cube_group.h"

namespace vinci::sync {

inline constexpr Support kCubeGroupChips[] = {{kArch2201, setter::kNoElements, true, kAscendC}};

// Wrong use: the kernel ends, since somebody would wait for ever for what is left out.
[[noreturn]] inline void refuse(Core& core, Code code, std::string text, std::string legal) {
  core.report(code, std::move(text), std::move(legal));
  core.stop();
}

inline int32_t* head_of(uint64_t message) { return reinterpret_cast<int32_t*>(message); }
inline MessageState state_of(uint64_t message) {
  return MessageState(uint8_t(load(head_of(message))));
}
inline bool is_state(MessageState state) { return state <= MessageState::kFake; }
inline int32_t with_state(int32_t head, MessageState state) {
  return int32_t((uint32_t(head) & ~0xFFu) | uint32_t(state));
}
// A state that these functions leave; the kernel ends if the workspace holds another byte.
inline MessageState legal_state_of(Core& core, std::string_view api, uint64_t message) {
  const MessageState state = state_of(message);
  if (is_state(state)) return state;
  refuse(core, Code::kRange, fmt::format("{}: the state of a message is {}", api, int(state)),
         "zeros in the workspace before its first use");
}

// Others see what was stored from the next round on, and so does this core.
inline void let_round_end(Core& core) {
  if (core.seat().rounds == nullptr) return;
  core.wait_for_others([asked = false]() mutable { return std::exchange(asked, true); },
                       Code::kDeadlock, "", "");
}
inline void set_head(Core& core, uint64_t message, int32_t head) {
  core.store_for_others(head_of(message), head);
  let_round_end(core);
}
// What the core that set a message's state did before comes before what this core does now.
inline void hear_message(Core& core, uint64_t message) {
  const int32_t* const words[] = {head_of(message)};
  core.hear_words(words);
}

// Waits for a state, or for a byte that is none.
inline void await_state(Core& core, uint64_t message, MessageState wanted, std::string text,
                        std::string legal) {
  const auto is_there = [=] {
    const MessageState state = state_of(message);
    return state == wanted || !is_state(state);
  };
  core.wait_for_others(is_there, Code::kDeadlock, std::move(text), std::move(legal));
}

// The queues that this AIV's queue is one of, and which; the kernel ends if it has none.
struct OwnQueue {
  CubeQueues queues;
  uint32_t index;
};
inline OwnQueue own_queue(Core& core, std::string_view api, const CubeHandle& handle) {
  if (handle.queue < 0) {
    refuse(core, Code::kCombination, fmt::format("{}: the handle has no queue", api),
           "AssignQueue before it");
  }
  const uint32_t per_aic = handle.group.queues_per_aic();
  return {handle.group.queues_of(uint32_t(handle.queue) / per_aic),
          uint32_t(handle.queue) % per_aic};
}

}  // namespace vinci::sync
