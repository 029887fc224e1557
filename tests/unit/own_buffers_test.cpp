// Buffers that launches leave to each other.
#include "core/own_buffers.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace vinci {
namespace {

uint64_t address_of(const uint8_t* buffer) { return uint64_t(reinterpret_cast<uintptr_t>(buffer)); }

TEST(OwnBuffers, TheNextLaunchGetsThemFullOfPoison) {
  OwnBuffers buffers(std::make_shared<GlobalMemory>());
  uint8_t* const one = buffers.take(3, 512);
  uint8_t* const other = buffers.take(3, 512);
  EXPECT_NE(one, other);
  std::fill_n(one, 512, uint8_t{7});
  std::fill_n(other, 512, uint8_t{7});
  buffers.end_launch();
  uint8_t* const again = buffers.take(3, 512);
  EXPECT_TRUE(again == one || again == other);
  EXPECT_TRUE(std::all_of(again, again + 512, [](uint8_t byte) { return byte == kPoison; }));
}

TEST(OwnBuffers, WhatALaunchDoesNotTakeIsNoMemoryAnyMore) {
  const auto gm = std::make_shared<GlobalMemory>();
  OwnBuffers buffers(gm);
  const uint64_t address = address_of(buffers.take(3, 512));
  buffers.end_launch();
  const uint64_t of_another_core = address_of(buffers.take(4, 512));
  EXPECT_NE(of_another_core, address);
  EXPECT_NE(gm->find(address), nullptr);
  buffers.end_launch();
  EXPECT_EQ(gm->find(address), nullptr);
  EXPECT_NE(gm->find(of_another_core), nullptr);
}

TEST(OwnBuffers, NoneOutlivesTheDevice) {
  const auto gm = std::make_shared<GlobalMemory>();
  uint64_t taken = 0, idle = 0;
  {
    OwnBuffers buffers(gm);
    idle = address_of(buffers.take(0, 32));
    buffers.end_launch();
    taken = address_of(buffers.take(1, 32));
  }
  EXPECT_EQ(gm->find(idle), nullptr);
  EXPECT_EQ(gm->find(taken), nullptr);
}

}  // namespace
}  // namespace vinci
