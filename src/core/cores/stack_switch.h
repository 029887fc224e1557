// What sanitizers are told when a thread goes to another call stack and back. Without one: nothing.
#pragma once

#include "core/crash.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define VINCI_ADDRESS_SANITIZER 1
#elif __has_feature(thread_sanitizer)
#define VINCI_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define VINCI_ADDRESS_SANITIZER 1
#elif defined(__SANITIZE_THREAD__)
#define VINCI_THREAD_SANITIZER 1
#endif

#if defined(VINCI_ADDRESS_SANITIZER)
#include <sanitizer/common_interface_defs.h>
#elif defined(VINCI_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

// A function that changes stacks is not one whose calls ThreadSanitizer counts: it enters on one
// stack and leaves on another.
#if defined(VINCI_THREAD_SANITIZER)
#define VINCI_CHANGES_STACKS __attribute__((no_sanitize("thread"), noinline))
#else
#define VINCI_CHANGES_STACKS
#endif

namespace vinci {

// Of one fiber. Each call stands directly before or behind the change.
#if defined(VINCI_ADDRESS_SANITIZER)
class StackSwitch {
 public:
  void enter(StackBounds inside) {
    __sanitizer_start_switch_fiber(&outside_, reinterpret_cast<void*>(inside.low),
                                   inside.high - inside.low);
  }
  void arrive_inside() { __sanitizer_finish_switch_fiber(inside_, &low_, &bytes_); }
  void leave() { __sanitizer_start_switch_fiber(&inside_, low_, bytes_); }
  void leave_for_good() { __sanitizer_start_switch_fiber(nullptr, low_, bytes_); }
  void arrive_outside() { __sanitizer_finish_switch_fiber(outside_, nullptr, nullptr); }

 private:
  void* outside_ = nullptr;  // what the sanitizer keeps of either stack
  void* inside_ = nullptr;
  const void* low_ = nullptr;  // the stack that resumed the fiber
  size_t bytes_ = 0;
};
#elif defined(VINCI_THREAD_SANITIZER)
class StackSwitch {
 public:
  StackSwitch() = default;
  StackSwitch(const StackSwitch&) = delete;
  StackSwitch& operator=(const StackSwitch&) = delete;
  ~StackSwitch() { __tsan_destroy_fiber(inside_); }

  [[gnu::always_inline]] void enter(StackBounds) {
    outside_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(inside_, 0);
  }
  [[gnu::always_inline]] void arrive_inside() {}
  [[gnu::always_inline]] void leave() { __tsan_switch_to_fiber(outside_, 0); }
  [[gnu::always_inline]] void leave_for_good() { leave(); }
  [[gnu::always_inline]] void arrive_outside() {}

 private:
  void* outside_ = nullptr;
  void* inside_ = __tsan_create_fiber(0);
};
#else
struct StackSwitch {
  void enter(StackBounds) {}
  void arrive_inside() {}
  void leave() {}
  void leave_for_good() {}
  void arrive_outside() {}
};
#endif

}  // namespace vinci
