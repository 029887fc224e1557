// A core's own call stack: what runs on it may pause in the middle of a call, and go on later, on
// whichever host thread.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "core/crash.h"

namespace vinci {

// Stacks for fibers. To make one costs system calls and page faults, so they are kept.
class FiberStacks {
 public:
  FiberStacks() = default;
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;
  ~FiberStacks();

  // Below it lie kStackGuardBytes that are inaccessible, if the address space allows, but at least
  // some. Throws std::bad_alloc.
  StackBounds take();
  void give_back(StackBounds stack);

 private:
  struct Mapping {
    void* start;
    uint64_t bytes;
  };
  std::mutex mutex_;
  std::vector<Mapping> mappings_;
  std::vector<StackBounds> idle_;
};

class Fiber {
 public:
  Fiber(FiberStacks& stacks, std::function<void()> body);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  // Only when the body has ended.
  ~Fiber();

  // Begins the body, or goes on with it, until it pauses or ends. What this thread knows of the
  // core that it runs, and of the stack that it is on, is the body's meanwhile.
  void resume();
  // For the body: gives the thread back to whoever called resume().
  void pause();
  bool has_ended() const { return has_ended_; }
  // What the body threw and did not catch. Where a crash handler tells of it, it ends the process.
  const std::exception_ptr& thrown() const { return thrown_; }

 private:
  struct Context;

  void run_body();

  FiberStacks& stacks_;
  const StackBounds stack_;
  const std::function<void()> body_;
  const std::unique_ptr<Context> context_;
  std::exception_ptr thrown_;
  bool has_ended_ = false;
};

}  // namespace vinci
