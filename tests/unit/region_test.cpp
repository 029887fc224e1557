// Strided regions and sets of bytes, against a flag for each byte.
#include "vinci/region.h"

#include <gtest/gtest.h>

#include <bitset>
#include <random>

namespace vinci {
namespace {

constexpr size_t kBytes = 4096;
using Flags = std::bitset<kBytes>;

// Byte by byte, from the definition of a region.
Flags flags_of(const Region& region) {
  Flags flags;
  for (int64_t repeat = 0; repeat < int64_t(region.repeats); ++repeat) {
    for (int64_t block = 0; block < int64_t(region.blocks); ++block) {
      for (int64_t byte = 0; byte < int64_t(region.block_bytes); ++byte) {
        flags.set(size_t(int64_t(region.address) + repeat * region.repeat_stride +
                         block * region.block_stride + byte));
      }
    }
  }
  return flags;
}

std::vector<Interval> runs_of(const Flags& flags) {
  std::vector<Interval> runs;
  for (size_t i = 0; i < kBytes; ++i) {
    if (!flags[i]) continue;
    if (i == 0 || !flags[i - 1]) runs.push_back({i, i});
    runs.back().end = i + 1;
  }
  return runs;
}

std::vector<Interval> intervals_of(const ByteSet& set) {
  return {set.intervals().begin(), set.intervals().end()};
}

// Inside the flags: strides reach 4 * 160 + 4 * 320 bytes either way. Sometimes without a byte,
// without gaps, or overlapping itself.
Region random_region(std::mt19937& random) {
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  Region region;
  region.address = uint64_t(pick(1920, 2100));
  region.block_bytes = uint64_t(pick(0, 40));
  region.blocks = uint64_t(pick(0, 5));
  region.repeats = uint64_t(pick(0, 5));
  const bool dense = pick(0, 3) == 0;
  region.block_stride = dense ? int64_t(region.block_bytes) : pick(-160, 160);
  region.repeat_stride = dense ? int64_t(region.blocks * region.block_bytes) : pick(-320, 320);
  region.space = Space::kUb;
  return region;
}

TEST(Region, ListsItsBytes) {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    const Region region = random_region(random);
    const Flags flags = flags_of(region);
    EXPECT_EQ(region.empty(), flags.none());
    EXPECT_EQ(intervals_of(region), runs_of(flags)) << i;
    if (flags.none()) continue;
    EXPECT_EQ(region.first(), runs_of(flags).front().first);
    EXPECT_EQ(region.end(), runs_of(flags).back().end);
  }
}

TEST(Region, IntersectsWhereBytesAreShared) {
  std::mt19937 random(2);
  int shared = 0;
  for (int i = 0; i < 3000; ++i) {
    const Region a = random_region(random);
    Region b = random_region(random);
    const bool wanted = (flags_of(a) & flags_of(b)).any();
    EXPECT_EQ(a.intersects(b), wanted) << i;
    EXPECT_EQ(b.intersects(a), wanted) << i;
    b.space = Space::kL1;
    EXPECT_FALSE(a.intersects(b));
    shared += wanted;
  }
  EXPECT_GT(shared, 300);
  EXPECT_LT(shared, 2700);
}

TEST(ByteSet, NeighboursDoNotIntersect) {
  const ByteSet set(Interval{32, 64});
  EXPECT_FALSE(set.intersects(Interval{0, 32}));
  EXPECT_TRUE(set.intersects(Interval{0, 33}));
  EXPECT_TRUE(set.intersects(Interval{63, 70}));
  EXPECT_FALSE(set.intersects(Interval{64, 70}));
  EXPECT_FALSE(set.intersects(Interval{40, 40}));
}

TEST(ByteSet, AddsAndRemovesAsFlagsDo) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    ByteSet set;
    Flags flags;
    for (int step = 0; step < 30; ++step) {
      const Region region = random_region(random);
      const Flags touched = flags_of(region);
      EXPECT_EQ(set.intersects(region), (flags & touched).any());
      if (step % 3 == 2) {
        set.remove(region);
        flags &= ~touched;
      } else {
        set.add(region);
        flags |= touched;
      }
      ASSERT_EQ(intervals_of(set), runs_of(flags)) << trial << " " << step;
      EXPECT_EQ(set.empty(), flags.none());
    }
    set.add(set);
    EXPECT_EQ(intervals_of(set), runs_of(flags));
    set.remove(set);
    EXPECT_TRUE(set.empty());
  }
}

TEST(ByteSet, TakesWhatAnInstructionReadsOrWritesOfOneMemory) {
  Region reads, writes, elsewhere;
  reads.address = 0, reads.block_bytes = 32, reads.blocks = 2, reads.block_stride = 64;
  reads.space = writes.space = Space::kUb;
  writes.address = 16, writes.block_bytes = 32, writes.access = Access::kWrite;
  elsewhere.address = 500, elsewhere.block_bytes = 8, elsewhere.space = Space::kGm;
  const Region regions[] = {reads, writes, elsewhere};
  using Intervals = std::vector<Interval>;
  EXPECT_EQ(intervals_of({regions, Space::kUb, Access::kRead}), (Intervals{{0, 32}, {64, 96}}));
  EXPECT_EQ(intervals_of({regions, Space::kUb, Access::kWrite}), (Intervals{{16, 48}}));
  EXPECT_EQ(intervals_of({regions, Space::kGm, Access::kRead}), (Intervals{{500, 508}}));
}

}  // namespace
}  // namespace vinci
