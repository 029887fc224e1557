// Races between cores (V4010): what kernel files do not show, and the comparison of what was
// written.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/core.h"
#include "kernel_operator.h"
#include "tool/written.h"
#include "vinci/device.h"

namespace vinci {
namespace {

using namespace AscendC;

constexpr uint64_t kWords = 4096;

struct Gm {
  GlobalTensor<int32_t> words;
  LocalTensor<int32_t> ub{TPosition::VECCALC, 0, 512};

  // Copies 64 words.
  void read(uint64_t from) {
    PipeBarrier<PIPE_ALL>();
    DataCopy(ub[128], words[from], 64);
    PipeBarrier<PIPE_ALL>();
  }
  void write(uint64_t to, int32_t value) {
    PipeBarrier<PIPE_ALL>();
    Duplicate(ub[256], value, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(words[to], ub[256], 64);
    PipeBarrier<PIPE_ALL>();
  }
};

using Kernel = std::function<void(Gm&)>;

// How many pairs of cores are found, after one launch behind the other; the same for all threads.
std::vector<uint64_t> found(const Grid& grid, const std::vector<Kernel>& kernels) {
  std::vector<std::vector<uint64_t>> all;
  for (const int threads : {1, 2, 8}) {
    Device device("Ascend910B1");
    device.set_threads(threads);
    auto* data = static_cast<int32_t*>(device.allocate(kWords * 4, "work", true));
    for (const Kernel& kernel : kernels) {
      EXPECT_TRUE(device.launch(grid, [&] {
        Gm gm;
        gm.words.SetGlobalBuffer(data, kWords);
        kernel(gm);
      }));
    }
    std::vector<uint64_t> counts;
    for (const Fault& fault : device.faults()) {
      EXPECT_EQ(fault.code, Code::kBlockRace) << fault.message;
      counts.push_back(fault.count);
    }
    all.push_back(counts);
  }
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
  return all[0];
}

using Counts = std::vector<uint64_t>;

TEST(BlockRaces, LaunchesComeOneAfterTheOther) {
  const Kernel write = [](Gm& gm) { gm.write(uint64_t(GetBlockIdx()) * 64, 1); };
  const Kernel read = [](Gm& gm) { gm.read(uint64_t(GetBlockIdx() + 1) % 4 * 64); };
  EXPECT_EQ(found({4, 0, 1}, {write, read, write}), Counts{});
  EXPECT_EQ(found({4, 0, 1}, {[&](Gm& gm) {
                    write(gm);
                    read(gm);
                  }}),
            Counts{4});
}

TEST(BlockRaces, ABlockThatBeginsWhenAnotherHasEndedIsNotInOrderWithIt) {
  EXPECT_EQ(found({60, 0, 1}, {[](Gm& gm) {
                    gm.write(uint64_t(GetBlockIdx()) % 59 * 64, int32_t(GetBlockIdx()));
                  }}),
            Counts{1});
}

TEST(BlockRaces, WhoHearsOfACoreHearsOfThoseThatItHeardOf) {
  for (const bool waits : {true, false}) {
    const Counts counts = found({3, 0, 1}, {[=](Gm& gm) {
                                  const auto me = int32_t(GetBlockIdx());
                                  if (me == 0) gm.write(0, 1);
                                  if (me == 1) IBWait(gm.words[1024], gm.ub, 0, 0);
                                  if (me == 2 && waits) IBWait(gm.words[1024], gm.ub, 1, 1);
                                  if (me == 2) gm.read(0);
                                  if (me < 2) IBSet(gm.words[1024], gm.ub, me, me);
                                }});
    EXPECT_EQ(counts, waits ? Counts{} : Counts{1});
  }
}

TEST(BlockRaces, EachWaitHearsOfOneSet) {
  for (const int waits : {1, 2}) {
    const Counts counts =
        found({1, 1, 1}, {[=](Gm& gm) {
                if (Core::current().kind() == CoreKind::kAic) {
                  for (uint64_t i = 0; i < 2; ++i) {
                    gm.words.SetValue(i * 64, 7);
                    DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE>(gm.words);
                    CrossCoreSetFlag<2, PIPE_FIX>(3);
                  }
                }
                if (Core::current().kind() == CoreKind::kAiv) {
                  for (int i = 0; i < waits; ++i) CrossCoreWaitFlag(3);
                  gm.read(0);
                  gm.read(64);
                  for (int i = waits; i < 2; ++i) CrossCoreWaitFlag(3);
                }
              }});
    EXPECT_EQ(counts, waits == 2 ? Counts{} : Counts{1});
  }
}

// A core waits for one of several numbers, and somebody takes the word back.
TEST(BlockRaces, AWordThatIsWrittenAgain) {
  EXPECT_EQ(found({2, 0, 1}, {[](Gm& gm) {
                    if (GetBlockIdx() == 0) {
                      gm.write(0, 5);
                      gm.words.SetValue(2048, 1);
                      gm.write(1024, 6);
                      gm.words.SetValue(2048, 2);
                      while (gm.words.GetValue(3072) == 0) {
                      }
                      gm.words.SetValue(3072, 0);
                      gm.write(0, 7);
                    } else {
                      while (gm.words.GetValue(2048) == 0) {
                      }
                      gm.read(0);
                      gm.words.SetValue(3072, 1);
                      while (gm.words.GetValue(3072) == 1) {
                      }
                    }
                  }}),
            Counts{});
}

// Words one behind the other, which one core looks at in turn: the first is there already.
TEST(BlockRaces, WordsInARow) {
  for (const bool cleans : {true, false}) {
    EXPECT_EQ(found({2, 0, 1}, {[=](Gm& gm) {
                      constexpr uint64_t kFirst = 2048, kCount = 6;
                      if (GetBlockIdx() == 0) {
                        for (uint64_t i = 0; i < kCount; ++i) {
                          gm.write(i * 64, 5);
                          gm.words.SetValue(kFirst + i, 1);
                          if (i < 2) continue;
                          while (gm.words.GetValue(3072) != int32_t(i)) {
                          }
                        }
                        return;
                      }
                      for (uint64_t i = 0; i < kCount; ++i) {
                        while (gm.words.GetValue(kFirst + i) == 0) {
                          if (cleans) dcci(gm.words.GetPhyAddr(kFirst), SINGLE_CACHE_LINE);
                        }
                        gm.read(i * 64);
                        gm.words.SetValue(3072, int32_t(i));
                      }
                    }}),
              Counts{});
  }
}

// Much that scalar code reads, some of it while another core writes it; it does not look again.
TEST(BlockRaces, ARowOfWordsThatAnotherCoreWrites) {
  for (const bool writes : {true, false}) {
    const Counts counts = found({2, 0, 1}, {[=](Gm& gm) {
                                  if (GetBlockIdx() == 0) {
                                    if (writes) gm.write(1024, 5);
                                    return;
                                  }
                                  int32_t sum = 0;
                                  for (uint64_t i = 0; i < 2048; ++i) sum += gm.words.GetValue(i);
                                  gm.ub.SetValue(0, sum);
                                }});
    EXPECT_EQ(counts, writes ? Counts{1} : Counts{});
  }
}

TEST(BlockRaces, AWaitByAPointer) {
  for (const auto& [writes, looks] : {std::pair(true, true), {true, false}, {false, true}}) {
    EXPECT_EQ(found({2, 0, 1}, {[writes = writes, looks = looks](Gm& gm) {
                      int32_t* word = gm.words.GetPhyAddr(2048);
                      const auto clean = [&] { dcci(word, SINGLE_CACHE_LINE); };
                      if (GetBlockIdx() == 0) {
                        gm.write(0, 5);
                        if (writes) __atomic_store_n(word, 1, __ATOMIC_RELEASE);
                        if (!writes) gm.words.SetValue(2048, 1);
                        clean();
                        return;
                      }
                      do {
                        clean();
                      } while ((looks ? __atomic_load_n(word, __ATOMIC_ACQUIRE)
                                      : gm.words.GetValue(2048)) == 0);
                      gm.read(0);
                    }}),
              Counts{});
  }
}

TEST(BlockRaces, WhoCleansItsCacheBehindSetValueWaitsForNobody) {
  EXPECT_EQ(found({2, 0, 1}, {[](Gm& gm) {
                    if (GetBlockIdx() == 0) {
                      gm.write(0, 5);
                      gm.words.SetValue(2048, 1);
                    } else {
                      gm.read(0);
                      gm.words.SetValue(2064, 1);
                    }
                    dcci(gm.words.GetPhyAddr(2048), ENTIRE_DATA_CACHE);
                  }}),
            Counts{1});
}

TEST(Written, DifferWhereBytesDo) {
  std::mt19937 random(3);
  const auto below = [&](uint64_t end) { return random() % end; };
  alignas(64) uint8_t memory[512];
  const auto start = reinterpret_cast<uint64_t>(memory);
  int equal = 0;
  for (int round = 0; round < 20000; ++round) {
    Written written[2];
    Written::Piece pieces[2];
    uint8_t bytes[2][512];
    for (int i = 0; i < 2; ++i) {
      std::ranges::fill(bytes[i], uint8_t(below(2)));
      if (below(2) == 0) bytes[i][below(512)] ^= 1;
      const uint64_t first = below(200), end = first + 1 + below(200);
      const uint64_t middle = first + 1 + below(end - first);
      written[i].keep({start, start + 40}, bytes[i]);
      pieces[i] = written[i].keep({start + first, start + middle}, bytes[i] + first);
      ASSERT_TRUE(written[i].is_last(pieces[i]));
      written[i].extend(pieces[i], bytes[i] + middle, end - middle);
      if (below(2) == 0) {
        Written other;
        pieces[i] = other.take(pieces[i], written[i]);
        written[i] = other;
      }
      written[i].replace(pieces[i], bytes[i] + first);
    }
    // Either may be the last that wrote.
    for (const int last : {0, 1}) {
      std::ranges::fill(memory, 9);
      for (const int i : {1 - last, last}) {
        std::copy(bytes[i] + (pieces[i].first - start), bytes[i] + (pieces[i].end - start),
                  memory + (pieces[i].first - start));
      }
      const uint64_t first = std::max(pieces[0].first, pieces[1].first) - start;
      const uint64_t end = std::min(pieces[0].end, pieces[1].end) - start;
      const bool want =
          first < end && !std::equal(bytes[0] + first, bytes[0] + end, bytes[1] + first);
      equal += first < end && !want ? 1 : 0;
      ASSERT_EQ(Written::differ(written[0], pieces[0], written[1], pieces[1]), want) << round;
    }
  }
  EXPECT_GT(equal, 1000);
}

}  // namespace
}  // namespace vinci
