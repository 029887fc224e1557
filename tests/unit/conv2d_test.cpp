// What tools see inside Conv2D: its loads, products and copies, and the flags that order them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "core/core.h"
#include "core/footprint.h"
#include "core/instruction.h"
#include "kernel_operator.h"
#include "vinci/device.h"

namespace vinci {
namespace {

using AscendC::Conv2dParams;
using AscendC::Conv2dTilling;
using AscendC::LocalTensor;
using AscendC::LoopMode;
using AscendC::TPosition;

// Judges whether accesses of different pipes to the same bytes are ordered by flags: each pipe
// works in program order, and knows of another what was done before a flag that it has waited for.
class Watcher final : public Tool {
 public:
  std::string_view name() const override { return "watcher"; }

  void on_issue(CoreView& core, const Record& record, std::span<const Region> regions) override {
    const auto pipe = size_t(core.pipe_of(record));
    ++seen[std::string(record.instruction->mnemonic)];
    const uint64_t now = ++known_[pipe][pipe];
    for (const Region& region : regions) {
      const Space space = core.space_of(region.operand.position);
      if (region.end() > core.bytes_of(space).size()) ++beyond;
      for (const Done& done : done_) {
        const bool meet = done.space == space && region.first() < done.end &&
                          done.first < region.end() &&
                          (done.access == Access::kWrite || region.access == Access::kWrite);
        if (meet && done.pipe != pipe && known_[pipe][done.pipe] < done.time) ++races;
      }
    }
    for (const Region& region : regions) {
      done_.push_back({core.space_of(region.operand.position), region.first(), region.end(),
                       region.access, pipe, now});
    }
    if (record.instruction == &isa::mmad) {
      products.push_back(static_cast<const MmadRecord&>(record));
    }
  }

  void on_flag(CoreView&, uint32_t event, int32_t id, bool set) override {
    const auto from = size_t(kEvents[event].from), to = size_t(kEvents[event].to);
    raised += set ? 1 : -1;
    if (set) {
      at_flag_[{event, id}] = known_[from];
      return;
    }
    const Known& then = at_flag_[{event, id}];
    for (size_t i = 0; i < kPipes; ++i) known_[to][i] = std::max(known_[to][i], then[i]);
  }

  std::map<std::string, int> seen;
  std::vector<MmadRecord> products;
  int races = 0, beyond = 0, raised = 0;

 private:
  using Known = std::array<uint64_t, kPipes>;
  struct Done {
    Space space;
    uint64_t first, end;
    Access access;
    size_t pipe;
    uint64_t time;
  };

  std::array<Known, kPipes> known_{};
  std::map<std::pair<uint32_t, int32_t>, Known> at_flag_;
  std::vector<Done> done_;
};

struct Call {
  Conv2dParams params;
  TPosition to = TPosition::CO1;
  LoopMode mode = LoopMode::MODE_NM;
  uint32_t m_tile = 0, n_tile = 0, k_tile = 0;  // 0: as GetConv2dTiling has it
};

uint32_t pieces(uint32_t blocks, uint32_t tile) { return (blocks + tile - 1) / tile; }

Conv2dTilling tiling_of(const Call& call) {
  Conv2dTilling t = AscendC::GetConv2dTiling<half>(call.params);
  t.loopMode = call.mode;
  if (call.m_tile != 0) {
    t.mTileBlock = call.m_tile;
    t.nTileBlock = call.n_tile;
    t.kTileBlock = call.k_tile;
    t.mIterNum = pieces(t.mBlockNum, t.mTileBlock);
    t.nIterNum = pieces(t.nBlockNum, t.nTileBlock);
    t.kIterNum = pieces(t.kBlockNum, t.kTileBlock);
    t.mTailBlock = t.mBlockNum - (t.mIterNum - 1) * t.mTileBlock;
    t.nTailBlock = t.nBlockNum - (t.nIterNum - 1) * t.nTileBlock;
    t.kTailBlock = t.kBlockNum - (t.kIterNum - 1) * t.kTileBlock;
    t.mTileNums = 16 * t.mTileBlock;
  }
  return t;
}

// Warnings do not count: what initY means is told.
void expect_no_error(const Device& device) {
  for (const Fault& fault : device.faults()) {
    if (!fault.entry().warning) ADD_FAILURE() << fault.message;
  }
}

// Runs the calls one after the other, with the same operands.
Watcher watch(const std::vector<Call>& calls, const char* soc = "Ascend310P3") {
  Device device(soc);
  Watcher watcher;
  device.add_tool(watcher);
  device.launch(1, [&] {
    const LocalTensor<half> map(TPosition::A1, 0, 1 << 17), weight(TPosition::B1, 1 << 18, 1 << 18);
    for (const Call& call : calls) {
      const LocalTensor<float> dst(call.to, 0, 1 << 15);
      AscendC::Conv2D(dst, map, weight, call.params, tiling_of(call));
    }
  });
  expect_no_error(device);
  EXPECT_EQ(watcher.races, 0);
  EXPECT_EQ(watcher.beyond, 0);
  EXPECT_EQ(watcher.raised, 0);
  return watcher;
}

Conv2dParams medium(uint32_t init_y = 0, uint32_t partial_sum = 0) {
  return {{16, 16}, {3, 3}, {1, 1}, 64, 64, {1, 1, 1, 1}, {1, 1}, init_y, partial_sum};
}

TEST(Conv2D, IssuesLoadsProductsAndCopies) {
  Watcher to_l0c = watch({{medium()}});
  EXPECT_EQ(to_l0c.seen,
            (std::map<std::string, int>{
                {"conv2d", 1}, {"load_data_3d_v1", 9 * 4}, {"load_data_2d", 9}, {"mmad", 9}}));
  Watcher to_ub = watch({{medium(1), TPosition::CO2}}, "Ascend910A");
  EXPECT_EQ(to_ub.seen, (std::map<std::string, int>{{"conv2d", 1},
                                                    {"load_data_3d_v1", 9 * 4},
                                                    {"load_data_2d", 9},
                                                    {"mmad", 9},
                                                    {"data_copy_to_l0c", 1},
                                                    {"data_copy_l0c", 1}}));
}

TEST(Conv2D, ChainsOfPartialSumsCopyOnce) {
  Watcher chain = watch({{medium(0, 1), TPosition::CO2},
                         {medium(1, 1), TPosition::CO2},
                         {medium(1, 0), TPosition::CO2}});
  EXPECT_EQ(chain.seen["mmad"], 27);
  EXPECT_EQ(chain.seen.count("data_copy_to_l0c"), 0u);
  EXPECT_EQ(chain.seen["data_copy_l0c"], 1);
  Watcher apart = watch({{medium(0, 0), TPosition::CO2},
                         {medium(1, 0), TPosition::CO2},
                         {medium(1, 1), TPosition::CO2},
                         {medium(0, 1), TPosition::CO2}});
  EXPECT_EQ(apart.seen["data_copy_to_l0c"], 2);
  EXPECT_EQ(apart.seen["data_copy_l0c"], 2);
}

TEST(Conv2D, TwoBuffersTakeTurns) {
  const Watcher two = watch({{medium()}});
  for (size_t i = 0; i < two.products.size(); ++i) {
    EXPECT_EQ(two.products[i].a.address, i % 2 * 32768);
    EXPECT_EQ(two.products[i].b.address, i % 2 * 32768);
  }
  // A tile of 1600 rows takes more than half of L0A.
  const Watcher one = watch({{{{40, 40}, {1, 1}, {1, 1}, 32, 16, {0, 0, 0, 0}, {1, 1}, 0, 0}}});
  ASSERT_EQ(one.products.size(), 2u);
  for (const MmadRecord& product : one.products) EXPECT_EQ(product.a.address, 0u);
}

// How often each fractal of the result is added to, which must be once for each tile of K.
void expect_each_once_per_k(const Watcher& watcher, const Conv2dTilling& t) {
  std::vector<uint32_t> added(t.mBlockNum * t.nBlockNum);
  for (const MmadRecord& product : watcher.products) {
    const uint32_t rows = product.m / 16, columns = product.n / 16;
    const auto first = uint32_t(product.c.address / 1024);
    EXPECT_TRUE(columns == 1 || rows == t.mBlockNum);
    for (uint32_t i = 0; i < rows * columns; ++i) ++added[first + i];
  }
  for (const uint32_t times : added) EXPECT_EQ(times, t.kIterNum);
}

TEST(Conv2D, TilesCoverEachBlockOnceInEveryLoopMode) {
  const Conv2dParams params = {{9, 11}, {3, 2}, {1, 1}, 48, 64, {0, 1, 1, 1}, {1, 1}, 0, 0};
  for (const LoopMode mode :
       {LoopMode::MODE_NM, LoopMode::MODE_MN, LoopMode::MODE_KM, LoopMode::MODE_KN}) {
    for (const auto& [m, n, k] : {std::array<uint32_t, 3>{7, 4, 4},
                                  {3, 4, 5},
                                  {2, 3, 7},
                                  {1, 1, 1},
                                  {7, 3, 18},
                                  {4, 2, 6}}) {
      const Call call{params, TPosition::CO2, mode, m, n, k};
      const Watcher watcher = watch({call});
      expect_each_once_per_k(watcher, tiling_of(call));
    }
  }
}

// Where the products of a loop over 2 x 2 x 2 tiles go, and how long their K is: (m, n, k).
std::vector<std::array<uint32_t, 3>> order_of(LoopMode mode) {
  // 2 blocks of M, 2 of N and 3 of K, cut after 1, 1 and 2.
  const Conv2dParams params = {{4, 8}, {1, 1}, {1, 1}, 48, 32, {0, 0, 0, 0}, {1, 1}, 0, 0};
  std::vector<std::array<uint32_t, 3>> order;
  for (const MmadRecord& product : watch({{params, TPosition::CO1, mode, 1, 1, 2}}).products) {
    const auto fractal = uint32_t(product.c.address / 1024);
    order.push_back({fractal % 2, fractal / 2, product.k == 32 ? 0u : 1u});
  }
  return order;
}

TEST(Conv2D, LoopModesOrderTheTiles) {
  const auto in_order = [](std::array<int, 3> axes) {  // outermost first
    std::vector<std::array<uint32_t, 3>> order;
    for (uint32_t i = 0; i < 8; ++i) {
      std::array<uint32_t, 3> step{};
      for (size_t level = 0; level < 3; ++level) step[size_t(axes[level])] = i >> (2 - level) & 1;
      order.push_back(step);
    }
    return order;
  };
  enum { kM, kN, kK };
  EXPECT_EQ(order_of(LoopMode::MODE_NM), in_order({kK, kN, kM}));
  EXPECT_EQ(order_of(LoopMode::MODE_MN), in_order({kK, kM, kN}));
  EXPECT_EQ(order_of(LoopMode::MODE_KM), in_order({kN, kK, kM}));
  EXPECT_EQ(order_of(LoopMode::MODE_KN), in_order({kM, kK, kN}));
}

TEST(Conv2D, GivesEventIdentifiersBack) {
  Device device("Ascend910A");  // has four of each
  device.launch(1, [] {
    const LocalTensor<half> map(TPosition::A1, 0, 1 << 17), weight(TPosition::B1, 1 << 18, 1 << 18);
    const LocalTensor<float> dst(TPosition::CO2, 0, 1 << 15);
    AscendC::TPipe pipe;
    const auto one = pipe.AllocEventID<HardEvent::M_MTE1>();
    const auto two = pipe.AllocEventID<HardEvent::M_MTE1>();
    for (int i = 0; i < 10; ++i) {
      AscendC::Conv2D(dst, map, weight, medium(1), AscendC::GetConv2dTiling<half>(medium(1)));
    }
    EXPECT_EQ(pipe.FetchEventID<HardEvent::M_MTE1>(), 2);
    EXPECT_EQ(pipe.FetchEventID<HardEvent::V_M>(), 0);
    pipe.ReleaseEventID<HardEvent::M_MTE1>(one);
    pipe.ReleaseEventID<HardEvent::M_MTE1>(two);
  });
  expect_no_error(device);
}

TEST(Conv2D, WithoutEventIdentifiersIsOneFault) {
  Device device("Ascend910A");
  device.launch(1, [] {
    const LocalTensor<half> map(TPosition::A1, 0, 1 << 17), weight(TPosition::B1, 1 << 18, 1 << 18);
    const LocalTensor<float> dst(TPosition::CO1, 0, 1 << 15);
    AscendC::TPipe pipe;
    for (int i = 0; i < 3; ++i) pipe.AllocEventID<HardEvent::M_MTE1>();
    AscendC::Conv2D(dst, map, weight, medium(), AscendC::GetConv2dTiling<half>(medium()));
    for (int i = 0; i < 3; ++i) pipe.ReleaseEventID<HardEvent::M_MTE1>(i);
  });
  ASSERT_EQ(device.faults().size(), 1u);
  EXPECT_EQ(device.faults()[0].code, Code::kEventId);
  EXPECT_EQ(device.faults()[0].message,
            "Conv2D: it takes 2 event identifiers of M_MTE1, and 1 are free");
}

// Notes every product when it runs, as the core tells it.
class NotesProducts final : public Tool {
 public:
  std::string_view name() const override { return "notes products"; }
  void before_run(CoreView& core, const Step& step) override {
    if (step.record.instruction != &isa::mmad) return;
    core.note(Code::kNoEffect, std::string(core.who()) + ": here", "");
  }
};

TEST(Conv2D, FaultsInsideNameIt) {
  for (const char* schedule : {"eager", "lazy"}) {
    setenv("VINCI_SCHEDULE", schedule, 1);
    Device device("Ascend310P3");
    unsetenv("VINCI_SCHEDULE");
    NotesProducts notes;
    device.add_tool(notes);
    device.launch(1, [] {
      const LocalTensor<half> map(TPosition::A1, 0, 1 << 17),
          weight(TPosition::B1, 1 << 18, 1 << 18);
      const LocalTensor<float> c(TPosition::CO1, 0, 1 << 15);
      Conv2dParams params{{4, 4}, {1, 1}, {1, 1}, 16, 16, {0, 0, 0, 0}, {1, 1}, 0, 0};
      AscendC::Conv2D(c, map, weight, params, AscendC::GetConv2dTiling<half>(params));
      AscendC::PipeBarrier<PIPE_ALL>();
      const LocalTensor<half> a(TPosition::A2, 0, 256), b(TPosition::B2, 0, 256);
      AscendC::Mmad(c, a, b, AscendC::MmadParams(16, 16, 16, 0, false, true));
    });
    ASSERT_EQ(device.faults().size(), 2u) << schedule;
    EXPECT_EQ(device.faults()[0].message, "in Conv2D: Mmad: here") << schedule;
    EXPECT_EQ(device.faults()[1].message, "Mmad: here") << schedule;
  }
}

TEST(Conv2D, ItsLoadsObeyTheBuffersOfTheKernel) {
  Device device("Ascend310P3");
  device.launch(1, [] {
    AscendC::TPipe pipe;
    AscendC::TBuf<TPosition::A2> small;
    pipe.InitBuffer(small, 512);
    const LocalTensor<half> map(TPosition::A1, 0, 1 << 17), weight(TPosition::B1, 1 << 18, 1 << 18);
    const LocalTensor<float> c(TPosition::CO1, 0, 1 << 15);
    AscendC::Conv2D(c, map, weight, medium(), AscendC::GetConv2dTiling<half>(medium()));
  });
  ASSERT_FALSE(device.faults().empty());
  const Fault& fault = device.faults()[0];
  EXPECT_EQ(fault.code, Code::kUnallocated);
  EXPECT_EQ(fault.instruction, "load_data_3d_v1");
  EXPECT_TRUE(fault.message.starts_with("in Conv2D: LoadData (3D v1): dstLocal writes bytes "))
      << fault.message;
}

}  // namespace
}  // namespace vinci
