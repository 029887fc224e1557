// Call stacks that pause: what is on them stays, and goes on on any thread.
#include "core/cores/fiber.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/call_stack.h"
#include "core/core.h"

namespace vinci {
namespace {

void on_another_thread(const std::function<void()>& body) { std::thread(body).join(); }

TEST(Fiber, RunsUntilItPausesOrEnds) {
  FiberStacks stacks;
  std::vector<int> said;
  Fiber* self = nullptr;
  Fiber fiber(stacks, [&] {
    for (int i = 0; i < 3; ++i) {
      said.push_back(i);
      self->pause();
    }
  });
  self = &fiber;
  for (int i = 0; i < 3; ++i) {
    fiber.resume();
    EXPECT_FALSE(fiber.has_ended());
    said.push_back(10 * i);
  }
  fiber.resume();
  EXPECT_TRUE(fiber.has_ended());
  EXPECT_EQ(said, (std::vector<int>{0, 0, 1, 10, 2, 20}));
}

TEST(Fiber, GoesOnOnAnotherThreadWithWhatItsStackHolds) {
  FiberStacks stacks;
  Fiber* self = nullptr;
  int sum = 0;
  Fiber fiber(stacks, [&] {
    std::array<int, 1000> numbers{};
    std::iota(numbers.begin(), numbers.end(), 0);
    self->pause();
    sum = std::accumulate(numbers.begin(), numbers.end(), 0);
  });
  self = &fiber;
  fiber.resume();
  on_another_thread([&] { fiber.resume(); });
  EXPECT_TRUE(fiber.has_ended());
  EXPECT_EQ(sum, 999 * 500);
}

// Which core runs, and where call stacks end, is the fiber's on each thread that runs it, and the
// thread's behind that.
TEST(Fiber, TakesItsCoreAlong) {
  FiberStacks stacks;
  Fiber* self = nullptr;
  alignas(Core) static std::array<std::byte, sizeof(Core)> place;  // never used as one
  Core* const core = reinterpret_cast<Core*>(place.data());
  const void* const end = &place;
  Core* seen = nullptr;
  const void* end_seen = nullptr;
  Fiber fiber(stacks, [&] {
    Core::set_current(core);
    end_call_stacks_at(end);
    self->pause();
    seen = Core::set_current(nullptr);
    end_seen = end_call_stacks_at(nullptr);
  });
  self = &fiber;
  fiber.resume();
  EXPECT_EQ(Core::current_or_null(), nullptr);
  EXPECT_EQ(end_call_stacks_at(nullptr), nullptr);
  on_another_thread([&] {
    fiber.resume();
    EXPECT_EQ(Core::current_or_null(), nullptr);
  });
  EXPECT_EQ(seen, core);
  EXPECT_EQ(end_seen, end);
}

TEST(Fiber, KeepsWhatItsBodyThrows) {
  FiberStacks stacks;
  Fiber fiber(stacks, [] { throw std::runtime_error("enough"); });
  fiber.resume();
  EXPECT_TRUE(fiber.has_ended());
  ASSERT_TRUE(fiber.thrown());
  EXPECT_THROW(std::rethrow_exception(fiber.thrown()), std::runtime_error);
}

TEST(FiberStacks, AreUsedAgainAndApart) {
  FiberStacks stacks;
  const StackBounds first = stacks.take();
  const StackBounds second = stacks.take();
  EXPECT_TRUE(first.high <= second.low || second.high <= first.low);
  stacks.give_back(first);
  EXPECT_EQ(stacks.take().low, first.low);
}

TEST(FiberStacksDeathTest, WhatLiesBelowIsInaccessible) {
  FiberStacks stacks;
  const StackBounds stack = stacks.take();
  EXPECT_DEATH(*reinterpret_cast<volatile char*>(stack.low - 1) = 1, "");
  EXPECT_DEATH(*reinterpret_cast<volatile char*>(stack.low - (kStackGuardBytes >> 1)) = 1, "");
}

}  // namespace
}  // namespace vinci
