// Synchronisation between cores by way of GM, raw flags, and the calls about the scalar cache.
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <numeric>

#include "core/core.h"
#include "kernel_operator.h"
#include "vinci/device.h"

namespace vinci {
namespace {

using namespace AscendC;

constexpr int kThreads[] = {1, 2, 8};
constexpr Grid kVectors{6, 0, 1}, kMix{3, 1, 2};

struct Result {
  std::vector<int32_t> words;       // of GM
  std::vector<int64_t> seen;        // what cores said, in their order
  std::vector<std::string> faults;  // "V4006 3 times: message"
  bool finished = false;

  friend bool operator==(const Result&, const Result&) = default;
};

using Kernel =
    std::function<void(GlobalTensor<int32_t>&, LocalTensor<int32_t>&, std::vector<int64_t>&)>;

// The same for all numbers of host threads. `words` of GM begin as `start`; UB has 2,048 bytes.
Result launch(const Grid& grid, size_t words, const Kernel& kernel, int32_t start = 0,
              const char* soc = "Ascend910B1") {
  std::vector<Result> results;
  for (const int threads : kThreads) {
    Device device(soc);
    device.set_threads(threads);
    auto* data = static_cast<int32_t*>(device.allocate(words * 4, "work"));
    std::fill(data, data + words, start);
    Result result;
    std::mutex mutex;
    result.finished = device.launch(grid, [&] {
      GlobalTensor<int32_t> gm;
      gm.SetGlobalBuffer(data, words);
      LocalTensor<int32_t> ub(TPosition::VECCALC, 0, 512);
      std::vector<int64_t> said;
      kernel(gm, ub, said);
      Core::current().take_turn();
      const std::lock_guard lock(mutex);
      result.seen.insert(result.seen.end(), said.begin(), said.end());
    });
    result.words.assign(data, data + words);
    for (const Fault& fault : device.faults()) {
      result.faults.push_back(to_string(fault.code) + " " + std::to_string(fault.count) +
                              " times: " + fault.message + " (" + fault.legal + ")");
    }
    results.push_back(result);
  }
  EXPECT_EQ(results[1], results[0]);
  EXPECT_EQ(results[2], results[0]);
  return results[0];
}

std::string one_fault(const Result& result) {
  EXPECT_EQ(result.faults.size(), 1u);
  return result.faults.empty() ? "" : result.faults[0];
}

// The cores of a mix 1:2 launch pass a number on by both spellings.
TEST(CrossCore, RawFlagsAreTheSameFlags) {
  const Result result = launch(kMix, 48, [](auto& gm, auto&, auto&) {
    const auto clean = [&] {
      AscendC::DataCacheCleanAndInvalid<int32_t, AscendC::CacheLine::ENTIRE_DATA_CACHE>(gm);
    };
    set_ffts_base_addr(64);
    SetSyncBaseAddr(64);
    const auto place = uint64_t(get_block_idx()) * 16;  // a cache line for each
    if (Core::current().kind() == CoreKind::kAic) {
      gm.SetValue(place, 5);
      clean();
      ffts_cross_core_sync(PIPE_FIX, 1 | 2 << 4 | 9 << 8);
      CrossCoreWaitFlag(15);
      gm.SetValue(place + 4, gm.GetValue(place) + 1);
      clean();
    } else {
      wait_flag_dev(9);
      if (get_subblockid() == 0) gm.SetValue(place, gm.GetValue(place) * 3);
      clean();
      CrossCoreSetFlag<2, PIPE_MTE3>(15);
    }
  });
  EXPECT_TRUE(result.finished && result.faults.empty());
  for (size_t block = 0; block < 3; ++block) {
    EXPECT_EQ(result.words[block * 16], 15);
    EXPECT_EQ(result.words[block * 16 + 4], 16);
  }
}

TEST(CrossCore, ARawMessageHasItsLowestBit) {
  const Result result = launch({1, 0, 1}, 8, [](auto&, auto&, auto&) {
    ffts_cross_core_sync(PIPE_MTE3, 1 << 8);
    wait_flag_dev(1);
  });
  EXPECT_EQ(one_fault(result),
            "V2001 1 times: ffts_cross_core_sync: the message is 256 (1 | mode << 4 | flag << 8)");
}

// Each core sees what all wrote before the barrier; the places count the barriers.
TEST(CrossCore, SyncAllWithAWorkspaceMeets) {
  for (const Grid& grid : {kVectors, kMix, Grid{6}}) {
    const auto cores = uint64_t(grid.blocks * std::max(grid.aiv, 1));
    const Result result = launch(grid, 400, [&](auto& gm, auto& ub, auto& said) {
      const auto me = uint64_t(GetBlockIdx());
      for (int round = 0; round < 3; ++round) {
        if (Core::current().kind() != CoreKind::kAic) {
          gm.SetValue(100 + 16 * me, round * 10 + int(me));
          DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE>(gm);
        }
        SyncAll(gm, ub);
        if (Core::current().kind() == CoreKind::kAic) continue;
        int64_t sum = 0;
        for (uint64_t i = 0; i < cores; ++i) sum += gm.GetValue(100 + 16 * i);
        said.push_back(sum);
        SyncAll(gm, ub);
      }
    });
    EXPECT_TRUE(result.finished && result.faults.empty());
    const auto first = int64_t(cores * (cores - 1) / 2), step = int64_t(cores) * 10;
    for (size_t i = 0; i < result.seen.size(); ++i) {
      EXPECT_EQ(result.seen[i], first + int64_t(i % 3) * step);
    }
    EXPECT_EQ(result.seen.size(), cores * 3);
    for (uint64_t i = 0; i < cores; ++i) EXPECT_EQ(result.words[i * 8], 6);
  }
}

TEST(CrossCore, SyncAllOfSomeCores) {
  const Result result = launch(kVectors, 48, [](auto& gm, auto& ub, auto& said) {
    if (GetBlockIdx() >= 4) return;
    SyncAll(gm, ub, 4);
    said.push_back(GetBlockIdx());
  });
  EXPECT_TRUE(result.finished && result.faults.empty());
  EXPECT_EQ(result.seen, (std::vector<int64_t>{0, 1, 2, 3}));
}

TEST(CrossCore, SyncAllWantsRoomZerosAndAllCores) {
  const auto meet = [](int32_t used, uint64_t words, uint32_t ub_words, int32_t start = 0) {
    return one_fault(launch(
        {3, 0, 1}, 24,
        [=](auto& gm, auto& ub, auto&) {
          gm.SetGlobalBuffer(const_cast<int32_t*>(gm.GetPhyAddr()), words);
          ub.SetSize(ub_words);
          SyncAll(gm, ub, used);
        },
        start));
  };
  EXPECT_EQ(meet(0, 23, 24),
            "V2001 3 times: SyncAll: gmWorkspace has 92 bytes (at least 96 bytes)");
  EXPECT_EQ(meet(0, 24, 23),
            "V2001 3 times: SyncAll: ubWorkspace has 92 bytes (at least 96 bytes)");
  EXPECT_EQ(meet(4, 24, 24), "V2001 3 times: SyncAll: usedCores is 4 (0..3)");
  EXPECT_EQ(meet(-1, 24, 24), "V2001 3 times: SyncAll: usedCores is -1 (0..3)");
  EXPECT_EQ(meet(2, 24, 24),
            "V2001 1 times: SyncAll: block 2 meets usedCores 2 (blocks 0..1 only)");
  EXPECT_EQ(meet(0, 24, 24, -1),
            "V2001 3 times: SyncAll: the workspace holds -1 (zeros in GM before its first use)");
  const Result alone = launch(kVectors, 48, [](auto& gm, auto& ub, auto&) {
    if (GetBlockIdx() != 2) SyncAll(gm, ub);
  });
  EXPECT_FALSE(alone.finished);
  EXPECT_EQ(one_fault(alone),
            "V4005 5 times: SyncAll: not all come; 5 of 6 cores wait, and core 2 has ended (the "
            "same number of barriers on every core)");
}

// A number goes round from core to core, three times, by the same event.
TEST(CrossCore, EventsGoFromCoreToCore) {
  const Result result = launch(kVectors, 200, [](auto& gm, auto& ub, auto&) {
    const auto me = int32_t(GetBlockIdx()), cores = int32_t(GetBlockNum());
    for (int round = 0; round < 3; ++round) {
      if (me > 0 || round > 0) IBWait(gm, ub, (me + cores - 1) % cores, 1);
      gm.SetValue(199, gm.GetValue(199) * 3 + me);
      DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE>(gm);
      if (me < cores - 1 || round < 2) IBSet(gm, ub, me, 1);
    }
  });
  EXPECT_TRUE(result.finished && result.faults.empty());
  int32_t want = 0;
  for (int i = 0; i < 18; ++i) want = int32_t(uint32_t(want) * 3 + uint32_t(i % 6));
  EXPECT_EQ(result.words[199], want);
  EXPECT_TRUE(std::all_of(result.words.begin(), result.words.begin() + 199,
                          [](int32_t word) { return word == 0; }));
}

TEST(CrossCore, EventsAreJudged) {
  // Words: 3 cores, event 1, block 2: place 5.
  const auto set = [](int32_t block, int32_t event, uint64_t words, int32_t start = 0) {
    const Result result = launch(
        {3, 0, 1}, 48,
        [=](auto& gm, auto& ub, auto&) {
          gm.SetGlobalBuffer(const_cast<int32_t*>(gm.GetPhyAddr()), words);
          if (GetBlockIdx() == 0) IBSet(gm, ub, block, event);
        },
        start);
    return result.faults.empty()
               ? "word " + std::to_string(result.words[size_t((3 * event + block) * 8)])
               : one_fault(result);
  };
  EXPECT_EQ(set(2, 1, 48), "word 1");
  EXPECT_EQ(set(2, 1, 47), "V2001 1 times: IBSet: gmWorkspace has 188 bytes (at least 192 bytes)");
  EXPECT_EQ(set(3, 0, 48), "V2001 1 times: IBSet: blockIdx is 3 (0..2)");
  EXPECT_EQ(set(-1, 0, 48), "V2001 1 times: IBSet: blockIdx is -1 (0..2)");
  EXPECT_EQ(set(0, -1, 48),
            "V2001 1 times: IBSet: eventID -1 is not legal on Ascend910B1 (0..65535)");
  EXPECT_EQ(set(0, 0, 48, 2),
            "V2001 1 times: IBSet: the workspace holds 2 (zeros in GM before its first use)");
  const Result waits = launch({3, 0, 1}, 48, [](auto& gm, auto& ub, auto&) {
    if (GetBlockIdx() == 1) IBWait(gm, ub, 0, 0);
    if (GetBlockIdx() == 0) IBSet(gm, ub, 1, 0);
  });
  EXPECT_EQ(one_fault(waits).substr(0, 54),
            "V4006 1 times: IBWait: nobody sets event 0 of block 0;");
}

TEST(CrossCore, BlocksGoOneAfterTheOther) {
  for (const Grid& grid : {kVectors, kMix, Grid{48, 0, 1}}) {
    std::vector<int64_t> order;
    const int64_t cores = grid.blocks * grid.aiv;
    const Result result = launch(
        grid, 384,
        [&](auto& gm, auto& ub, auto&) {
          if (Core::current().kind() == CoreKind::kAiv && GetBlockIdx() == 0) order.clear();
          ub = LocalTensor<int32_t>(TPosition::VECCALC, 0, 400);
          InitDetermineComputeWorkspace(gm, ub);
          for (int round = 0; round < 3; ++round) {
            WaitPreBlock(gm, ub);
            if (Core::current().kind() == CoreKind::kAiv) order.push_back(GetBlockIdx());
            NotifyNextBlock(gm, ub);
          }
        },
        -1);
    EXPECT_TRUE(result.finished && result.faults.empty());
    std::vector<int64_t> want;
    for (int64_t i = 0; i < 3 * cores; ++i) want.push_back(i % cores);
    EXPECT_EQ(order, want);
    for (int64_t i = 0; i < cores; ++i) EXPECT_EQ(result.words[size_t(i) * 8], 3);
  }
  const Result stuck = launch(kVectors, 48, [](auto& gm, auto& ub, auto&) {
    InitDetermineComputeWorkspace(gm, ub);
    WaitPreBlock(gm, ub);
    if (GetBlockIdx() != 3) NotifyNextBlock(gm, ub);
  });
  EXPECT_EQ(one_fault(stuck).substr(0, 66),
            "V4006 2 times: WaitPreBlock: block 3 does not let this one go on; ");
  const Result small = launch(kVectors, 48, [](auto& gm, auto& ub, auto&) {
    ub.SetSize(55);
    InitDetermineComputeWorkspace(gm, ub);
  });
  EXPECT_EQ(one_fault(small),
            "V2001 6 times: InitDetermineComputeWorkspace: ubWorkspace has 220 "
            "bytes (at least 224 bytes)");
}

TEST(CrossCore, AGroupWaitsForAnother) {
  const auto run = [](bool all, uint32_t index = 0, int32_t start = 0) {
    return launch(
        {6, 0, 1}, 512,
        [=](auto& gm, auto&, auto& said) {
          GroupBarrier<PipeMode::MTE3_MODE> barrier(reinterpret_cast<GM_ADDR>(&gm(0)), 2, 4);
          EXPECT_EQ(barrier.GetWorkspaceLen(), 2048u);
          const auto me = uint32_t(GetBlockIdx());
          for (int round = 0; round < 3; ++round) {
            if (me < 2) {
              if (all || me == 0 || round < 1) barrier.Arrive(me + index);
            } else {
              barrier.Wait(me - 2);
              said.push_back(round);
            }
          }
        },
        start);
  };
  const Result good = run(true);
  EXPECT_TRUE(good.finished && good.faults.empty());
  for (const size_t waiter : {0, 1, 2, 3}) {
    EXPECT_EQ(good.words[waiter * 128], 3);
    EXPECT_EQ(good.words[waiter * 128 + 1], 3);
  }
  EXPECT_EQ(one_fault(run(false)).substr(0, 71),
            "V4006 4 times: GroupBarrier::Wait: not all of 2 arrive in round 2; 4 of");
  EXPECT_EQ(
      run(true, 1).faults.at(0),
      "V2001 3 times: GroupBarrier::Arrive: arriveIndex 2 is not legal on Ascend910B1 (0..1)");
  EXPECT_EQ(run(true, 0, 7 << 28).faults.at(0).substr(0, 81),
            "V2001 6 times: GroupBarrier::Arrive: the workspace holds 1879048192 (zeros in GM ");
  const Result odd = launch({1, 0, 1}, 512, [](auto& gm, auto&, auto&) {
    GroupBarrier<PipeMode::MTE3_MODE>(reinterpret_cast<GM_ADDR>(&gm(8)), 1, 1).Arrive(0);
  });
  EXPECT_EQ(one_fault(odd).substr(0, 43), "V1004 1 times: GroupBarrier::Arrive: groupW");
}

// Producer and consumer as the documents have it, past the cache or with its lines given back.
TEST(CrossCore, PollsWithCallsAboutTheCache) {
  const Result result = launch({2, 0, 1}, 48, [](auto& gm, auto&, auto& said) {
    int32_t* words = &gm(0);
    if (GetBlockIdx() == 1) {
      WriteGmByPassDCache(words + 16, int32_t(7));
      DataSyncBarrier<MemDsbT::DDR>();
      WriteGmByPassDCache(words, int32_t(1));
      gm.SetValue(32, 9);
      DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(
          gm[32]);
      dsb(DSB_DDR);
      return;
    }
    while (ReadGmByPassDCache(words) != 1) dsb(DSB_ALL);
    said.push_back(ReadGmByPassDCache(words + 16));
    do {
      DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE>(gm[32]);
    } while (gm.GetValue(32) == 0);
    dcci(words, ENTIRE_DATA_CACHE, CACHELINE_OUT);
    said.push_back(gm.GetValue(32));
    SetNextTaskStart();
    WaitPreTaskEnd();
  });
  EXPECT_TRUE(result.finished && result.faults.empty());
  EXPECT_EQ(result.seen, (std::vector<int64_t>{7, 9}));
}

TEST(CrossCore, PollsThatNobodyEndsAreADeadlockWithSuchCallsToo) {
  const Result result = launch({2, 0, 1}, 48, [](auto& gm, auto&, auto&) {
    while (gm.GetValue(0) == 0) {
      dcci(&gm, SINGLE_CACHE_LINE);
      dsb(DSB_ALL);
    }
  });
  EXPECT_EQ(one_fault(result).substr(0, 14), "V4006 2 times:");
}

TEST(CrossCore, CallsAboutTheCacheAreJudged) {
  const auto codes = [](const char* soc, void (*call)()) {
    return launch(
               {1}, 8, [=](auto&, auto&, auto&) { call(); }, 0, soc)
        .faults;
  };
  const auto none = std::vector<std::string>{};
  EXPECT_EQ(codes("Ascend310P3", [] { dcci(nullptr, 0); }), none);
  EXPECT_EQ(codes("Ascend310P3", [] { dcci(nullptr, 0, 2); }).at(0),
            "V6001 1 times: dcci: a DcciDst is not legal here (the form without DcciDst)");
  EXPECT_EQ(
      codes(
          "Ascend310P3",
          [] {
            using Tensor = GlobalTensor<int32_t>;
            DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(
                Tensor());
          })
          .at(0)
          .substr(0, 42),
      "V6001 1 times: DataCacheCleanAndInvalid: a");
  EXPECT_EQ(codes("Ascend910B1", [] { dcci(nullptr, 1, 2); }), none);
  EXPECT_EQ(codes("Ascend910B1", [] { dcci(nullptr, 2, 2); }).at(0).substr(0, 5), "V2001");
  EXPECT_EQ(codes("Ascend910B1", [] { dcci(nullptr, 0, 3); }).at(0).substr(0, 5), "V2001");
  EXPECT_EQ(codes("Ascend310B1", [] { dsb(DSB_SEQ); }), none);
  EXPECT_EQ(codes("Ascend310B1", [] { dsb(mem_dsb_t(4)); }).at(0).substr(0, 5), "V2001");
  EXPECT_EQ(codes("Ascend310P3", [] { dsb(DSB_ALL); }).at(0).substr(0, 5), "V6001");
  EXPECT_EQ(codes("Ascend910A", [] { dcci(nullptr, 0); }).at(0).substr(0, 5), "V6001");
  EXPECT_EQ(codes("Ascend310B1", [] { SyncAll({}, {}); }).at(0).substr(0, 5), "V6001");
}

}  // namespace
}  // namespace vinci
