// What tools get: steps that run over other storage, and the core through its public view.
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "kernel_operator.h"
#include "vinci/device.h"

namespace vinci {
namespace {

using AscendC::GlobalTensor;
using AscendC::LocalTensor;
using AscendC::TPosition;

// Which bytes are known: 1 for each byte of GM, 0 for those of the core, until a move takes ones
// along.
class Known final : public Tool {
 public:
  std::string_view name() const override { return "known"; }
  void on_block_begin(CoreView& core) override {
    for (int i = 1; i < kSpaces; ++i) known[i].assign(core.bytes_of(Space(i)).size(), 0);
  }
  void before_run(CoreView& core, const Step& step) override {
    (step.moves() ? moves : others).insert(std::string(mnemonic_of(step.record)));
    if (!step.moves()) return;
    Storage storage;
    for (int i = 1; i < kSpaces; ++i) storage.first[i] = known[i].data();
    std::vector<uint8_t> gm;
    for (const Region& region : step.regions) {
      if (region.space != Space::kGm) continue;
      const Interval buffer = core.gm_buffer(region.first());
      gm.assign(buffer.end - buffer.first, 1);
      storage.gm_shift = gm.data() - reinterpret_cast<uint8_t*>(buffer.first);
    }
    Memory memory(step.soc, storage);
    step.run(memory);
  }

  std::vector<uint8_t> known[kSpaces];
  std::set<std::string> moves, others;
};

std::vector<Interval> ones(const std::vector<uint8_t>& bytes) {
  ByteSet set;
  for (uint64_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == 1) set.add(Interval{i, i + 1});
  }
  return {set.intervals().begin(), set.intervals().end()};
}

TEST(Shadow, AMoveTakesAlongWhatIsKnown) {
  Device device("Ascend310P3");
  auto* data = static_cast<half*>(device.allocate(4096, "data"));
  for (uint32_t i = 0; i < 2048; ++i) data[i] = half(1.0f);
  Known known;
  device.add_tool(known);
  device.launch(1, [&] {
    GlobalTensor<half> gm;
    gm.SetGlobalBuffer(data, 2048);
    const LocalTensor<half> l1(TPosition::A1, 0, 1024), a2(TPosition::A2, 0, 1024);
    AscendC::DataCopy(l1[512], gm, 256);  // bytes 1024..1535: the third fractal
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::LoadData(a2, l1, AscendC::LoadData2DParams(1, 2, 1, 0, 0, false, 0));
    EXPECT_EQ(float(*a2[256].GetPhyAddr()), 1.0f);  // the core's own bytes are there too
    EXPECT_NE(float(*a2.GetPhyAddr()), 1.0f);
  });
  EXPECT_TRUE(device.faults().empty());
  EXPECT_EQ(ones(known.known[int(Space::kL1)]), (std::vector<Interval>{{1024, 1536}}));
  EXPECT_EQ(ones(known.known[int(Space::kL0A)]), (std::vector<Interval>{{512, 1024}}));
  EXPECT_EQ(known.moves, (std::set<std::string>{"data_copy", "load_data_2d"}));
}

TEST(Shadow, WhatCombinesOrComputesIsNoMove) {
  Device device("Ascend310P3");
  auto* data = static_cast<float*>(device.allocate(4096, "data"));
  Known known;
  device.add_tool(known);
  device.launch(1, [&] {
    GlobalTensor<float> gm;
    gm.SetGlobalBuffer(data, 1024);
    const LocalTensor<float> ub(TPosition::VECCALC, 0, 64);
    AscendC::Duplicate(ub, 1.0f, 64);
    AscendC::SetAtomicAdd<float>();
    AscendC::DataCopy(gm, ub, 64);
    AscendC::SetAtomicNone();
  });
  EXPECT_TRUE(known.moves.empty());
  EXPECT_EQ(known.others, (std::set<std::string>{"data_copy", "duplicate"}));
}

// A tool by its class is told only what the class has functions for; any other is told all.
class Ends final : public ToolOf<Ends> {
 public:
  std::string_view name() const override { return "ends"; }
  void after_run(CoreView&, const Step&) override { ++steps; }
  void on_registers(CoreView&, const Record&) override { ++registers; }
  int steps = 0, registers = 0;
};

TEST(Tools, AreToldWhatTheirClassTakes) {
  Ends ends;
  EXPECT_EQ(ends.takes(), kAfterRun | kOnRegisters);
  Known known;
  EXPECT_EQ(known.takes(), kOnIssue | kBeforeRun | kAfterRun | kOnRegisters);
  Device device("Ascend310P3");
  device.add_tool(ends);
  device.launch(1, [] {
    const LocalTensor<half> ub(TPosition::VECIN, 0, 128);
    AscendC::Duplicate(ub, half(1), 128);
    AscendC::SetVectorMask<half, AscendC::MaskMode::NORMAL>(0, 1);
  });
  EXPECT_EQ(ends.steps, 1);
  EXPECT_GE(ends.registers, 1);
}

// The steps of queues as they come, with what each makes wait for what.
class Passed final : public Tool {
 public:
  std::string_view name() const override { return "passed"; }
  void on_queue(CoreView& core, const QueueEvent& event) override {
    static constexpr const char* kSteps[] = {"alloc", "enque", "deque", "free"};
    steps.push_back({kSteps[int(event.step)], std::string(core.who()), event.ends.source,
                     event.ends.target, event.address,
                     event.event == kHardEvents ? "" : std::string(kEvents[event.event].name)});
  }
  struct Step {
    std::string step, who;
    Position source, target;
    uint64_t address;
    std::string event;
    bool operator==(const Step&) const = default;
  };
  std::vector<Step> steps;
};

TEST(Queues, ToolsHearOfEachStepWithItsEndsAndItsFlag) {
  Device device("Ascend310P3");
  Passed passed;
  device.add_tool(passed);
  device.launch(1, [] {
    AscendC::TPipe pipe;
    AscendC::TQue<TPosition::VECIN, 1> in;
    AscendC::TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> both;
    pipe.InitBuffer(in, 1, 64);
    pipe.InitBuffer(both, 1, 32);
    LocalTensor<half> x = in.AllocTensor<half>();
    in.EnQue(x);
    x = in.DeQue<half>();
    in.FreeTensor(x);
    LocalTensor<half> y = both.AllocTensor<half>();
    both.EnQue<TPosition::GM, TPosition::VECIN>(y);
    y = both.DeQue<TPosition::GM, TPosition::VECIN, half>();
    both.EnQue<TPosition::VECIN, TPosition::VECOUT>(y);
    y = both.DeQue<TPosition::VECIN, TPosition::VECOUT, half>();
    both.FreeTensor(y);
  });
  constexpr Position kGm = Position::GM, kIn = Position::VECIN, kOut = Position::VECOUT;
  EXPECT_EQ(passed.steps, (std::vector<Passed::Step>{
                              {"alloc", "AllocTensor", kGm, kIn, 0, "V_MTE2"},
                              {"enque", "EnQue", kGm, kIn, 0, "MTE2_V"},
                              {"deque", "DeQue", kGm, kIn, 0, "MTE2_V"},
                              {"free", "FreeTensor", kGm, kIn, 0, "V_MTE2"},
                              {"alloc", "AllocTensor", kIn, kOut, 64, "MTE3_MTE2"},
                              {"enque", "EnQue", kGm, kIn, 64, "MTE2_V"},
                              {"deque", "DeQue", kGm, kIn, 64, "MTE2_V"},
                              {"enque", "EnQue", kIn, kOut, 64, "MTE2_MTE3"},
                              {"deque", "DeQue", kIn, kOut, 64, "MTE2_MTE3"},
                              {"free", "FreeTensor", kIn, kOut, 64, "MTE3_MTE2"},
                          }));
}

// What a tool asks its core.
class Asks final : public Tool {
 public:
  std::string_view name() const override { return "asks"; }
  void on_issue(CoreView& core, const Record& record, std::span<const Region> regions) override {
    EXPECT_EQ(core.chip(), "Ascend910B1");
    EXPECT_EQ(core.block_index(), 1);
    EXPECT_EQ(core.block_count(), 2);
    EXPECT_EQ(core.who(), "DataCopy");
    EXPECT_EQ(core.pipe_of(record), Pipe::kMte2);
    EXPECT_EQ(core.space_of(Position::VECIN), Space::kUb);
    EXPECT_EQ(core.bytes_of(Space::kUb).size(), 192u * 1024);
    EXPECT_TRUE(core.bytes_of(Space::kGm).empty());
    const uint64_t address = regions[0].first();
    EXPECT_EQ(core.gm_buffer(address), (Interval{address, address + 4096}));
    EXPECT_EQ(core.gm_buffer(address - 1), Interval());
    ++asked;
  }
  int asked = 0;
};

TEST(View, TellsWhatToolsNeed) {
  Device device("Ascend910B1");
  auto* data = static_cast<half*>(device.allocate(4096, "data"));
  Asks asks;
  device.add_tool(asks);
  device.launch(2, [&] {
    if (AscendC::GetBlockIdx() == 0) return;
    GlobalTensor<half> gm;
    gm.SetGlobalBuffer(data, 2048);
    AscendC::DataCopy(LocalTensor<half>(TPosition::VECIN, 0, 64), gm, 64);
  });
  EXPECT_EQ(asks.asked, 1);
}

class Written final : public Tool {
 public:
  std::string_view name() const override { return "written"; }
  void on_issue(CoreView&, const Record&, std::span<const Region> regions) override {
    for (const Region& region : regions) {
      if (region.access == Access::kWrite) bytes.push_back(region.end() - region.first());
    }
  }
  std::vector<uint64_t> bytes;
};

// Tools that look at bytes take time for each region.
TEST(Footprints, ALoadThatFillsItsDestinationWritesOneRegion) {
  Device device("Ascend910B1");
  Written written;
  device.add_tool(written);
  device.launch(1, [] {
    constexpr uint8_t kPads[] = {1, 1, 1, 1};
    const LocalTensor<half> dst(TPosition::A2, 0, 128 * 256), src(TPosition::A1, 0, 32 * 32 * 64);
    AscendC::LoadData(dst, src,
                      AscendC::LoadData3DParamsV2<half>(kPads, 32, 32, 64, 256, 128, 0, 0, 1, 1, 3,
                                                        3, 1, 1, false, false, half(0)));
  });
  EXPECT_EQ(written.bytes, std::vector<uint64_t>{128 * 256 * sizeof(half)});
}

}  // namespace
}  // namespace vinci
