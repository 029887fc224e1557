// When reads of GM are a wait for another core: what is counted, and from how many on.
#include "core/cores/looks.h"

#include <gtest/gtest.h>

namespace vinci {
namespace {

TEST(Looks, AnElementThatStaysAsItIs) {
  Looks looks;
  for (int round = 0; round < 3; ++round) {
    // The first read of all finds something new.
    for (int read = round == 0 ? 0 : 1; read < 1049; ++read) {
      EXPECT_FALSE(looks.in_vain(4096, 7)) << read;
    }
    EXPECT_TRUE(looks.in_vain(4096, 7));
    EXPECT_EQ(looks.was_idle(), round > 0);
  }
}

TEST(Looks, AnotherValueOrAnotherPlaceIsNoWait) {
  Looks looks;
  looks.in_vain(4096, 7);
  looks.was_idle();
  for (uint64_t i = 0; i < 5000; ++i) EXPECT_FALSE(looks.in_vain(4096, i % 2 + 8));
  EXPECT_FALSE(looks.was_idle());
  for (uint64_t i = 0; i < 5000; ++i) EXPECT_FALSE(looks.in_vain(1 << 20 | 8 * i, 7));
  EXPECT_FALSE(looks.was_idle());
}

TEST(Looks, AWordOfEachCoreInTurn) {
  for (uint64_t stride = 4; stride <= 4096; stride *= 2) {
    Looks looks;
    constexpr uint64_t kWords = 72;  // more than cores of the largest chip
    for (uint64_t i = 0; i < kWords; ++i) looks.in_vain(1 << 20 | i * stride, 0);
    EXPECT_FALSE(looks.was_idle());
    for (uint64_t i = 0; i < kWords; ++i) looks.in_vain(1 << 20 | i * stride, 0);
    EXPECT_TRUE(looks.was_idle()) << "a stride of " << stride;
  }
}

TEST(Looks, CopiesCountFourTimes) {
  Looks looks;
  for (int copy = 0; copy < 263; ++copy) EXPECT_FALSE(looks.copies_in_vain(4096)) << copy;
  EXPECT_TRUE(looks.copies_in_vain(4096));
}

TEST(Looks, CopiesOfWhichNothingIsKnown) {
  Looks looks;
  for (int copy = 1; copy < 4096; ++copy) EXPECT_FALSE(looks.copies_blindly()) << copy;
  EXPECT_TRUE(looks.copies_blindly());
}

TEST(Looks, WhatOthersSeeIsNoIdling) {
  Looks looks;
  EXPECT_TRUE(looks.was_idle());
  looks.act();
  EXPECT_FALSE(looks.was_idle());
  EXPECT_TRUE(looks.was_idle());
}

}  // namespace
}  // namespace vinci
