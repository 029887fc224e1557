// Walking the stack.
#include "core/call_stack.h"

#include <execinfo.h>

#include <utility>

namespace vinci {
namespace {

constexpr int kMostFrames = 64;
// Frames of one thread lie closer together than this; a larger step is no frame pointer.
constexpr uint64_t kMostStep = 1 << 20;

thread_local const void* end_of_stacks = nullptr;

struct Frame {
  const Frame* caller;
  uint64_t return_address;
};

// Of the function that this becomes a part of.
[[gnu::always_inline]] inline void follow_frames(Origin& origin) {
  origin = {};
  const auto* frame = static_cast<const Frame*>(__builtin_frame_address(0));
  const auto end = reinterpret_cast<uint64_t>(end_of_stacks);  // which takes time to look up
  for (uint64_t& address : origin) {
    if (frame->return_address == end) break;
    address = frame->return_address;
    const Frame* caller = frame->caller;
    const bool plausible =
        caller > frame && reinterpret_cast<uint64_t>(caller) % 8 == 0 &&
        reinterpret_cast<uint64_t>(caller) - reinterpret_cast<uint64_t>(frame) < kMostStep;
    if (!plausible) break;
    frame = caller;
  }
}

}  // namespace

std::vector<uint64_t> call_stack() {
  void* frames[kMostFrames];
  const int depth = backtrace(frames, kMostFrames);
  std::vector<uint64_t> addresses;
  for (int i = 0; i < depth && frames[i] != end_of_stacks; ++i) {
    addresses.push_back(reinterpret_cast<uint64_t>(frames[i]));
  }
  return addresses;
}

const void* end_call_stacks_at(const void* return_address) {
  return std::exchange(end_of_stacks, return_address);
}

Origin call_origin() {
  Origin origin;
  follow_frames(origin);
  return origin;
}

void note_call_origin(Origin& origin) { follow_frames(origin); }

}  // namespace vinci
