#include "core/cores/fiber.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <utility>

#include <boost/context/detail/fcontext.hpp>

#include "core/call_stack.h"
#include "core/core.h"
#include "core/cores/stack_switch.h"

namespace vinci {
namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

constexpr uint64_t kStackBytes = 8 << 20;  // touched as far as it is used
constexpr uint64_t kLeastGuardBytes = 64 << 10;

void* reserve(uint64_t bytes) {
  return mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

// What a thread knows of the core that it runs.
struct ThreadSide {
  Core* core = nullptr;
  const void* end_of_stacks = nullptr;
  StackBounds stack;
};

ThreadSide exchange(const ThreadSide& now) {
  return {Core::set_current(now.core), end_call_stacks_at(now.end_of_stacks),
          exchange_stack(now.stack)};
}

}  // namespace

FiberStacks::~FiberStacks() {
  for (const Mapping& mapping : mappings_) munmap(mapping.start, mapping.bytes);
}

StackBounds FiberStacks::take() {
  const std::lock_guard lock(mutex_);
  if (!idle_.empty()) {
    const StackBounds stack = idle_.back();
    idle_.pop_back();
    return stack;
  }
  uint64_t guard = kStackGuardBytes;
  void* start = reserve(guard + kStackBytes);
  if (start == MAP_FAILED) start = reserve((guard = kLeastGuardBytes) + kStackBytes);
  if (start == MAP_FAILED) throw std::bad_alloc();
  mappings_.push_back({start, guard + kStackBytes});
  uint8_t* const low = static_cast<uint8_t*>(start) + guard;
  if (mprotect(low, kStackBytes, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  const auto address = reinterpret_cast<uint64_t>(low);
  return {address, address + kStackBytes};
}

void FiberStacks::give_back(StackBounds stack) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(stack);
}

struct Fiber::Context {
  fcontext_t inside;             // the body, while it does not run
  fcontext_t outside = nullptr;  // who resumed it, while it runs
  ThreadSide of_body;
  StackSwitch stack_switch;

  [[noreturn]] static void begin(transfer_t from);
};

// What the body leaves behind is nothing: nobody comes back to this stack, and nothing unwinds it.
VINCI_CHANGES_STACKS void Fiber::Context::begin(transfer_t from) {
  Fiber& fiber = *static_cast<Fiber*>(from.data);
  Context& context = *fiber.context_;
  context.outside = from.fctx;
  context.stack_switch.arrive_inside();
  fiber.run_body();
  fiber.has_ended_ = true;
  context.stack_switch.leave_for_good();
  jump_fcontext(context.outside, nullptr);
  std::abort();
}

Fiber::Fiber(FiberStacks& stacks, std::function<void()> body)
    : stacks_(stacks),
      stack_(stacks.take()),
      body_(std::move(body)),
      context_(std::make_unique<Context>()) {
  context_->of_body.stack = stack_;
  context_->inside = make_fcontext(reinterpret_cast<void*>(stack_.high), stack_.high - stack_.low,
                                   &Context::begin);
}

Fiber::~Fiber() { stacks_.give_back(stack_); }

void Fiber::run_body() {
  if (tells_exceptions()) return body_();
  try {
    body_();
  } catch (...) {
    thrown_ = std::current_exception();
  }
}

VINCI_CHANGES_STACKS void Fiber::resume() {
  const ThreadSide of_thread = exchange(context_->of_body);
  context_->stack_switch.enter(stack_);
  context_->inside = jump_fcontext(context_->inside, this).fctx;
  context_->stack_switch.arrive_outside();
  context_->of_body = exchange(of_thread);
  context_->of_body.stack = stack_;
}

VINCI_CHANGES_STACKS void Fiber::pause() {
  context_->stack_switch.leave();
  context_->outside = jump_fcontext(context_->outside, nullptr).fctx;
  context_->stack_switch.arrive_inside();
}

}  // namespace vinci
