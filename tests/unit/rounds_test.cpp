// Cores that wait for each other: the same bytes and reports for any number of host threads, and
// deadlocks told core by core.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include "core/core.h"
#include "kernel_operator.h"
#include "vinci/device.h"

namespace vinci {
namespace {

using AscendC::CrossCoreSetFlag;
using AscendC::CrossCoreWaitFlag;
using AscendC::SyncAll;

constexpr size_t kTokens[] = {1, 2, 8};
constexpr Grid kMix{3, 1, 2};

int64_t core_index() { return Core::current().seat().core; }
CoreKind kind() { return Core::current().seat().grid.kind_of(core_index()); }

struct Outcome {
  bool finished = false;
  std::vector<std::string> faults;  // code, block and core of each
  std::vector<uint64_t> counts;
  std::vector<int64_t> seen;  // what the kernel said in the order of the cores
};

Outcome launch(size_t tokens, const Grid& grid,
               const std::function<void(std::vector<int64_t>&)>& kernel,
               const char* soc = "Ascend910B1") {
  Device device(soc);
  device.set_threads(int(tokens));
  Outcome outcome;
  std::mutex mutex;
  outcome.finished = device.launch(grid, [&] {
    std::vector<int64_t> said;
    kernel(said);
    Core::current().take_turn();
    const std::lock_guard lock(mutex);
    outcome.seen.insert(outcome.seen.end(), said.begin(), said.end());
  });
  for (const Fault& fault : device.faults()) {
    outcome.faults.push_back(to_string(fault.code) + " block " + std::to_string(fault.block) + " " +
                             fault.core);
    outcome.counts.push_back(fault.count);
  }
  return outcome;
}

// The same for all numbers of threads.
Outcome launch_on_all(const Grid& grid, const std::function<void(std::vector<int64_t>&)>& kernel,
                      const char* soc = "Ascend910B1") {
  const Outcome one = launch(1, grid, kernel, soc);
  for (const size_t tokens : kTokens) {
    const Outcome several = launch(tokens, grid, kernel, soc);
    EXPECT_EQ(several.seen, one.seen) << tokens;
    EXPECT_EQ(several.faults, one.faults) << tokens;
    EXPECT_EQ(several.counts, one.counts) << tokens;
    EXPECT_EQ(several.finished, one.finished) << tokens;
  }
  return one;
}

TEST(Rounds, CoresOfABlockHaveTheirKindAndIndex) {
  const Outcome outcome = launch_on_all(kMix, [](auto& said) {
    said = {core_index(), int64_t(kind()), AscendC::GetBlockIdx(), AscendC::GetBlockNum()};
  });
  EXPECT_TRUE(outcome.finished);
  EXPECT_EQ(outcome.seen, (std::vector<int64_t>{0, 1, 0, 3, 1, 2, 0, 3, 2, 2, 1, 3,  //
                                                3, 1, 1, 3, 4, 2, 2, 3, 5, 2, 3, 3,  //
                                                6, 1, 2, 3, 7, 2, 4, 3, 8, 2, 5, 3}));
}

// The table of the documents: block_idx, GetBlockIdx, GetBlockNum, GetSubBlockIdx, GetSubBlockNum,
// GetTaskRatio of each core, two blocks.
TEST(Rounds, IndexFunctionsDependOnTheKindOfTheKernel) {
  const auto indices = [](const Grid& grid, const char* soc = "Ascend910B1") {
    const Outcome outcome = launch_on_all(
        grid,
        [](auto& said) {
          const bool split = Core::current().soc().arch->split;
          said = {block_idx,
                  AscendC::GetBlockIdx(),
                  AscendC::GetBlockNum(),
                  split ? AscendC::GetSubBlockIdx() : 0,
                  split ? AscendC::GetSubBlockNum() : 1,
                  AscendC::GetTaskRatio()};
          EXPECT_EQ(get_block_idx(), block_idx);
          EXPECT_EQ(get_block_num(), block_num);
          EXPECT_EQ(get_subblockid(), said[3]);
          EXPECT_EQ(get_subblockdim(), said[4]);
          EXPECT_EQ(AscendC::GetTaskRation(), AscendC::GetTaskRatio());
        },
        soc);
    EXPECT_TRUE(outcome.finished && outcome.faults.empty());
    return outcome.seen;
  };
  const std::vector<int64_t> alone{0, 0, 2, 0, 1, 1, 1, 1, 2, 0, 1, 1};
  EXPECT_EQ(indices({2, 0, 1}), alone);
  EXPECT_EQ(indices({2, 1, 0}), alone);
  EXPECT_EQ(indices({2}), alone);
  EXPECT_EQ(indices({2}, "Ascend310P3"), alone);
  EXPECT_EQ(indices({2, 1, 1}), (std::vector<int64_t>{0, 0, 2, 0, 1, 1, 0, 0, 2, 0, 1, 1,  //
                                                      1, 1, 2, 0, 1, 1, 1, 1, 2, 0, 1, 1}));
  EXPECT_EQ(indices({2, 1, 2}), (std::vector<int64_t>{0, 0, 2, 0, 1, 1, 0, 0, 2, 0, 2, 2,  //
                                                      0, 1, 2, 1, 2, 2, 1, 1, 2, 0, 1, 1,  //
                                                      1, 2, 2, 0, 2, 2, 1, 3, 2, 1, 2, 2}));
}

TEST(Rounds, SubBlocksAreOfSplitChips) {
  const Outcome outcome = launch_on_all(
      Grid{1}, [](auto&) { AscendC::GetSubBlockIdx(); }, "Ascend310P3");
  EXPECT_EQ(outcome.faults, std::vector<std::string>{"V6001 block 0 AI Core"});
}

TEST(Rounds, ACoreHasTheMemoriesOfItsKind) {
  const auto write_to = [](AscendC::TPosition position) {
    const Outcome outcome = launch_on_all({1, 1, 1}, [position](auto& said) {
      const AscendC::LocalTensor<half> tensor(position, 0, 16);
      tensor.SetValue(0, half(1));
      said.push_back(int64_t(float(tensor.GetValue(0))));
    });
    EXPECT_TRUE(outcome.finished);
    const bool is_vector = position == AscendC::TPosition::VECIN;
    EXPECT_EQ(outcome.seen, (std::vector<int64_t>{!is_vector, is_vector}));
    return outcome.faults;
  };
  EXPECT_EQ(write_to(AscendC::TPosition::VECIN), std::vector<std::string>{"V4008 block 0 AIC"});
  EXPECT_EQ(write_to(AscendC::TPosition::A1), std::vector<std::string>{"V4008 block 0 AIV"});
  EXPECT_EQ(write_to(AscendC::TPosition::CO1), std::vector<std::string>{"V4008 block 0 AIV"});
}

TEST(Rounds, AGridThatTheChipDoesNotHaveIsRefused) {
  Device whole("Ascend310P"), split("Ascend910B1");
  const auto nothing = [] {};
  EXPECT_THROW(whole.launch(Grid{1, 1, 2}, nothing), std::invalid_argument);
  EXPECT_THROW(split.launch(Grid{1, 1, 3}, nothing), std::invalid_argument);
  EXPECT_THROW(split.launch(Grid{1, 2, 2}, nothing), std::invalid_argument);
  EXPECT_THROW(split.launch(Grid{-1, 1, 2}, nothing), std::invalid_argument);
  EXPECT_TRUE(split.launch(Grid{0, 1, 2}, nothing));
}

// Each stage of 1 -> 2 -> 1 adds to what the one before left.
TEST(Rounds, TheCubeAndTheVectorCoresOfABlockWaitForEachOther) {
  std::vector<std::atomic<int64_t>> cells(3);
  const auto kernel = [&](auto& said) {
    const int64_t block = Core::current().block_index();
    if (core_index() % 3 == 0) cells[size_t(block)] = 0;
    SyncAll<false>();
    for (int i = 0; i < 5; ++i) {
      if (kind() == CoreKind::kAic) {
        cells[size_t(block)] += 1;
        CrossCoreSetFlag<2, PIPE_FIX>(5);
        CrossCoreWaitFlag<2>(6);
        said.push_back(cells[size_t(block)]);
      } else {
        CrossCoreWaitFlag<2>(5);
        cells[size_t(block)] += 100;
        CrossCoreSetFlag<2, PIPE_MTE3>(6);
      }
    }
  };
  const Outcome outcome = launch_on_all(kMix, kernel);
  EXPECT_TRUE(outcome.finished);
  const std::vector<int64_t> each{201, 402, 603, 804, 1005};
  std::vector<int64_t> all;
  for (int i = 0; i < 3; ++i) all.insert(all.end(), each.begin(), each.end());
  EXPECT_EQ(outcome.seen, all);
}

// The last vector core of each block sets late, so that the others would be seen going on early.
TEST(Rounds, ModesZeroAndOneCountWhenAllHaveSet) {
  std::atomic<int> arrived{0};
  std::vector<std::atomic<int>> of_block(3);
  const Outcome outcome = launch_on_all(kMix, [&](auto& said) {
    auto& here = of_block[size_t(Core::current().block_index())];
    if (kind() == CoreKind::kAic) {
      here = 0;
      if (core_index() == 0) arrived = 0;
    }
    SyncAll<false>();
    if (kind() == CoreKind::kAic) return;
    if (core_index() % 3 == 2) SyncAll();
    ++here;
    CrossCoreSetFlag<1, PIPE_V>(9);
    if (core_index() % 3 == 1) SyncAll();
    CrossCoreWaitFlag<1>(9);
    said.push_back(here);
    ++arrived;
    CrossCoreSetFlag<0, PIPE_MTE3>(1);
    CrossCoreWaitFlag<0>(1);
    said.push_back(arrived);
  });
  EXPECT_TRUE(outcome.finished);
  EXPECT_EQ(outcome.seen, (std::vector<int64_t>{2, 6, 2, 6, 2, 6, 2, 6, 2, 6, 2, 6}));
}

// One core waits for a flag of mode 1 that needs its own set, and so nobody goes on.
TEST(Rounds, AFlagThatOneHasNotSetDoesNotCount) {
  const Outcome outcome = launch_on_all(kMix, [&](auto&) {
    if (kind() == CoreKind::kAic) return;
    if (core_index() == 8) CrossCoreWaitFlag<1>(9);
    if (core_index() == 7) CrossCoreSetFlag<1, PIPE_V>(9);
    CrossCoreSetFlag<0, PIPE_MTE3>(1);
    CrossCoreWaitFlag<0>(1);
  });
  EXPECT_FALSE(outcome.finished);
  EXPECT_EQ(outcome.faults, (std::vector<std::string>{"V4006 block 0 AIV", "V4006 block 2 AIV"}));
  EXPECT_EQ(outcome.counts, (std::vector<uint64_t>{5, 1}));
}

TEST(Rounds, AFlagCountsUpToFifteen) {
  for (const int waits : {1, 0}) {
    const Outcome outcome = launch_on_all({1, 1, 1}, [&](auto&) {
      for (int i = 0; kind() == CoreKind::kAic && i < 16; ++i) CrossCoreSetFlag<2, PIPE_FIX>(3);
      for (int i = 0; kind() == CoreKind::kAiv && i < waits; ++i) CrossCoreWaitFlag(3);
    });
    EXPECT_EQ(outcome.finished, waits == 1);
    EXPECT_EQ(outcome.faults, waits == 1 ? std::vector<std::string>{"V4013 block 0 AIC"}
                                         : std::vector<std::string>{"V4007 block 0 AIC"});
  }
}

// One that is far ahead waits for those that it tells, and each of them hears all.
TEST(Rounds, ACoreIsFifteenSetsAheadAtMost) {
  constexpr int kSets = 100;
  const Outcome outcome = launch_on_all({2, 1, 2}, [&](auto& said) {
    for (int i = 0; i < kSets; ++i) {
      if (kind() == CoreKind::kAic) {
        CrossCoreSetFlag<2, PIPE_FIX>(3);
      } else {
        CrossCoreWaitFlag(3);
      }
    }
    if (kind() == CoreKind::kAiv) said.push_back(kSets);
  });
  EXPECT_TRUE(outcome.finished);
  EXPECT_EQ(outcome.faults, std::vector<std::string>{});
  EXPECT_EQ(outcome.seen, (std::vector<int64_t>{kSets, kSets, kSets, kSets}));
}

TEST(Rounds, ParametersOfFlagsAreJudged) {
  const Outcome outcome = launch_on_all({1, 0, 1}, [](auto&) {
    CrossCoreSetFlag<3, PIPE_V>(0);
    CrossCoreSetFlag<0, PIPE_S>(0);
    CrossCoreSetFlag<0, PIPE_ALL>(0);
    CrossCoreSetFlag<0, PIPE_V>(16);
    CrossCoreWaitFlag(16);
    CrossCoreSetFlag<0, PIPE_V>(15);
    CrossCoreWaitFlag(15);
  });
  EXPECT_EQ(outcome.faults, std::vector<std::string>(5, "V2001 block 0 AIV"));
  EXPECT_TRUE(outcome.finished);
}

// Floats of all sizes, so that each order of the sums gives other bits.
TEST(Rounds, SumsInGmAreInTheOrderOfTheRoundsAndCores) {
  std::vector<std::vector<float>> results;
  for (const size_t tokens : kTokens) {
    Device device("Ascend910B1");
    device.set_threads(int(tokens));
    auto* sum = static_cast<float*>(device.allocate(32, "sum"));
    std::fill(sum, sum + 8, 0.0f);
    EXPECT_TRUE(device.launch(Grid{5, 0, 2}, [&] {
      AscendC::GlobalTensor<float> out;
      out.SetGlobalBuffer(sum, 8);
      AscendC::LocalTensor<float> part(AscendC::TPosition::VECOUT, 0, 8);
      for (int round = 0; round < 4; ++round) {
        const auto core = int(core_index());
        AscendC::Duplicate(part, std::ldexp(1.1f + float(core), (core * 7 + round * 5) % 40 - 20),
                           8);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::SetAtomicAdd<float>();
        AscendC::DataCopy(out, part, 8);
        AscendC::SetAtomicNone();
        if ((core + round) % 3 != 0) SyncAll();
        if ((core + round) % 3 == 0) SyncAll();
      }
    }));
    EXPECT_TRUE(device.faults().empty());
    results.emplace_back(sum, sum + 8);
  }
  EXPECT_EQ(results[1], results[0]);
  EXPECT_EQ(results[2], results[0]);
}

TEST(Rounds, BlocksBeginAsOthersEnd) {
  const Outcome outcome = launch_on_all(
      Grid{50}, [](auto& said) { said.push_back(AscendC::GetBlockIdx()); }, "Ascend310P3");
  std::vector<int64_t> all(50);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(outcome.seen, all);
}

TEST(Rounds, ABarrierWithMoreBlocksThanCoresIsADeadlock) {
  const auto kernel = [](auto&) { SyncAll(); };
  EXPECT_TRUE(launch_on_all(Grid{48, 0, 1}, kernel).finished);
  const Outcome outcome = launch_on_all(Grid{49, 0, 1}, kernel);
  EXPECT_FALSE(outcome.finished);
  EXPECT_EQ(outcome.faults, std::vector<std::string>{"V4005 block 0 AIV"});
  EXPECT_EQ(outcome.counts, std::vector<uint64_t>{48});
}

TEST(Rounds, ADeadlockIsToldForEachPlace) {
  const Outcome outcome = launch_on_all(kMix, [](auto&) {
    if (kind() == CoreKind::kAic) {
      CrossCoreWaitFlag(1);
    } else if (core_index() % 3 == 1) {
      CrossCoreWaitFlag(2);
    }
  });
  EXPECT_FALSE(outcome.finished);
  EXPECT_EQ(outcome.faults, (std::vector<std::string>{"V4006 block 0 AIC", "V4006 block 0 AIV"}));
  EXPECT_EQ(outcome.counts, (std::vector<uint64_t>{3, 3}));
}

TEST(Rounds, AloneACoreThatWaitsIsADeadlockToo) {
  const Outcome outcome = launch_on_all({1, 0, 1}, [](auto&) { CrossCoreWaitFlag(1); });
  EXPECT_EQ(outcome.faults, std::vector<std::string>{"V4006 block 0 AIV"});
}

TEST(Rounds, AnExceptionOfTheFirstCoreEndsThoseThatWait) {
  Device device("Ascend910B1");
  device.set_threads(2);
  std::atomic<int> ends{0};
  EXPECT_THROW(device.launch(Grid{4, 0, 1},
                             [&] {
                               const struct Count {
                                 std::atomic<int>& ends;
                                 ~Count() { ++ends; }
                               } count{ends};
                               if (core_index() == 0) {
                                 CrossCoreSetFlag<0, PIPE_V>(3);
                                 throw std::runtime_error("enough");
                               }
                               CrossCoreWaitFlag(3);
                             }),
               std::runtime_error);
  EXPECT_GE(ends, 1);
  EXPECT_TRUE(device.launch(Grid{4, 0, 1}, [] { SyncAll(); }));
}

// A core that reads GM until another one has written it, through the door.
TEST(Rounds, PollsLetTheOthersGoOn) {
  for (const size_t tokens : kTokens) {
    Device device("Ascend310P3");
    device.set_threads(int(tokens));
    auto* words = static_cast<int32_t*>(device.allocate(256, "words"));
    std::fill(words, words + 64, 0);
    EXPECT_TRUE(device.launch(4, [&] {
      AscendC::GlobalTensor<int32_t> gm;
      gm.SetGlobalBuffer(words, 64);
      const auto block = int32_t(AscendC::GetBlockIdx());
      if (block < 3) {
        while (gm.GetValue(uint64_t(block + 1) * 16) == 0) {
        }
      }
      gm.SetValue(uint64_t(block) * 16, block < 3 ? gm.GetValue(uint64_t(block + 1) * 16) + 1 : 1);
    }));
    EXPECT_TRUE(device.faults().empty());
    EXPECT_EQ((std::vector<int32_t>{words[0], words[16], words[32], words[48]}),
              (std::vector<int32_t>{4, 3, 2, 1}))
        << tokens;
  }
}

TEST(Rounds, PollsThatNobodyCanEndAreADeadlock) {
  Device device("Ascend310P3");
  auto* words = static_cast<int32_t*>(device.allocate(64, "words"));
  std::fill(words, words + 16, 0);
  EXPECT_FALSE(device.launch(2, [&] {
    AscendC::GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer(words, 16);
    while (gm.GetValue(0) == 0) {
    }
  }));
  ASSERT_EQ(device.faults().size(), 1u);
  EXPECT_EQ(to_string(device.faults()[0].code), "V4006");
  EXPECT_EQ(device.faults()[0].count, 2u);
}

// A core that spins on a pointer, which vinci does not see, must not starve the one that it waits
// for.
TEST(Rounds, ASpinOnAPointerLetsTheOthersGoOnInTime) {
  Device device("Ascend310P3");
  std::atomic<int> flag{0};
  std::atomic<int> ends{0};
  EXPECT_TRUE(device.launch(3, [&] {
    if (AscendC::GetBlockIdx() < 2) {
      while (flag == 0) {
      }
    }
    flag = 1;
    ++ends;
  }));
  EXPECT_EQ(ends, 3);
}

// A core that computes for long without the door lets others begin, and still comes first.
TEST(Rounds, ALongComputationKeepsItsPlaceInTheOrder) {
  const Outcome outcome = launch_on_all(
      Grid{3},
      [](auto&) {
        const AscendC::LocalTensor<half> tensor(AscendC::TPosition::VECCALC, 0, 0);
        if (AscendC::GetBlockIdx() == 0) {
          const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(900);
          while (std::chrono::steady_clock::now() < end) {
          }
          tensor.SetValue(16, half(1));
        } else if (AscendC::GetBlockIdx() == 1) {
          tensor.SetValue(17, half(1));
        } else {
          tensor.SetValue(18, half(1));
        }
      },
      "Ascend310P3");
  EXPECT_EQ(outcome.faults,
            (std::vector<std::string>{"V1001 block 0 AI Core", "V1001 block 1 AI Core",
                                      "V1001 block 2 AI Core"}));
}

}  // namespace
}  // namespace vinci
