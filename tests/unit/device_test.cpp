// Launching kernels from C++, tools at the door, and the memories behind it.
#include "vinci/device.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "core/core.h"
#include "core/footprint.h"
#include "core/memory.h"
#include "kernel_operator.h"

namespace vinci {
namespace {

std::vector<std::string> codes(const Device& device) {
  std::vector<std::string> list;
  for (const Fault& fault : device.faults()) list.push_back(to_string(fault.code));
  return list;
}

TEST(Device, RunsEachBlockOnceInOrder) {
  Device device("Ascend310P");
  std::vector<int64_t> order;
  EXPECT_TRUE(device.launch(3, [&] {
    EXPECT_EQ(AscendC::GetBlockNum(), 3);
    order.push_back(AscendC::GetBlockIdx());
  }));
  EXPECT_EQ(order, (std::vector<int64_t>{0, 1, 2}));
  EXPECT_TRUE(device.faults().empty());
}

// What a launch of 40 blocks does, each a little work, some with a fault.
struct Seen {
  std::vector<int64_t> watched, faulty;
  std::vector<int32_t> results = std::vector<int32_t>(40);
};
Seen launch_on(int threads) {
  Device device("Ascend310P");
  device.set_threads(threads);
  Seen seen;
  device.on_block([&](int64_t block) { seen.watched.push_back(block); });
  device.on_fault([&](const Fault& fault) {
    seen.faulty.push_back(fault.block);
    return true;
  });
  EXPECT_TRUE(device.launch(40, [&] {
    const auto block = int32_t(AscendC::GetBlockIdx());
    AscendC::LocalTensor<int32_t> local(AscendC::TPosition::VECIN, 0, 64);
    for (int i = 0; i < (40 - block) * 50; ++i) AscendC::Duplicate(local, block + i, 64);
    if (block % 7 == 3) AscendC::Duplicate(local, 0, 65);
    seen.results[size_t(block)] = local.GetValue(63);
  }));
  return seen;
}

TEST(Device, BlocksOnSeveralThreadsLookAsIfOnOne) {
  const Seen one = launch_on(1);
  EXPECT_EQ(one.faulty, (std::vector<int64_t>{3, 10, 17, 24, 31, 38}));
  EXPECT_EQ(one.watched.size(), 40u);
  for (const int threads : {2, 3, 8, 40, 64}) {
    const Seen several = launch_on(threads);
    EXPECT_EQ(several.results, one.results) << threads;
    EXPECT_EQ(several.faulty, one.faulty) << threads;
    EXPECT_EQ(several.watched, one.watched) << threads;
  }
}

TEST(Device, AStopEndsTheBlocksThatWaitForTheirTurn) {
  Device device("Ascend310P");
  device.set_threads(4);
  std::vector<int64_t> faulty;
  device.on_fault([&](const Fault& fault) {
    faulty.push_back(fault.block);
    return fault.block != 5;
  });
  EXPECT_FALSE(device.launch(40, [&] {
    AscendC::LocalTensor<int32_t> local(AscendC::TPosition::VECIN, 0, 0);
    AscendC::Duplicate(local, 0, 65);
  }));
  EXPECT_EQ(faulty, (std::vector<int64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Device, AnUnknownChipListsTheOthers) {
  try {
    Device device("Ascend999");
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("Ascend310P3"), std::string::npos);
  }
}

TEST(Device, AFaultyInstructionWritesNothingAndTheKernelGoesOn) {
  Device device("Ascend310P");
  auto* gm = static_cast<int32_t*>(device.allocate(64, "gm"));
  std::iota(gm, gm + 16, 1);
  device.launch(1, [&] {
    AscendC::GlobalTensor<int32_t> global;
    global.SetGlobalBuffer(gm, 16);
    AscendC::LocalTensor<int32_t> local(AscendC::TPosition::VECIN, 0, 16);
    AscendC::Duplicate(local, 7, 16);
    AscendC::DataCopy(local, global, 24);  // 8 too many
    EXPECT_EQ(local.GetValue(0), 7);
    AscendC::DataCopy(local, global, 16);
    EXPECT_EQ(local.GetValue(15), 16);
  });
  EXPECT_EQ(codes(device), (std::vector<std::string>{"V1001"}));
}

TEST(Device, TheSamePlaceIsReportedOnceAndCounted) {
  Device device("Ascend310P");
  device.launch(1, [&] {
    AscendC::LocalTensor<int32_t> local(AscendC::TPosition::VECIN, 0, 16);
    for (int i = 0; i < 50; ++i) AscendC::Duplicate(local, 7, 17);
  });
  ASSERT_EQ(device.faults().size(), 1u);
  EXPECT_EQ(device.faults()[0].count, 50u);
}

TEST(Device, WhatBothVectorCoresOfABlockTellAtALineIsReportedOnceAndCounted) {
  Device device("Ascend910B1");
  device.launch(Grid{1, 1, 2}, [] {
    if (core_kind() == CoreKind::kAiv) bad_argument("Call", "the core", sub_block_index(), "none");
  });
  ASSERT_EQ(codes(device), std::vector<std::string>{"V2001"});
  EXPECT_EQ(device.faults()[0].count, 2u);
}

TEST(Device, AnOverrunIsFoundEvenIfAFaultEndsTheKernel) {
  Device device("Ascend310P");
  auto* gm = static_cast<uint8_t*>(device.allocate(60, "gm"));
  int stops = 0;
  device.on_stop([&] { ++stops; });
  EXPECT_FALSE(device.launch(2, [&] {
    gm[60] = 0;
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::QuePosition::VECIN, 1> queue;
    queue.AllocTensor<half>();  // before InitBuffer: nothing sensible can follow
  }));
  EXPECT_EQ(stops, 1);
  EXPECT_EQ(codes(device), (std::vector<std::string>{"V3001", "V1007"}));
}

TEST(Device, EachBlockFindsItsMemoryPoisoned) {
  Device device("Ascend310P", Checks::kBasic);
  device.launch(2, [&] {
    AscendC::LocalTensor<int32_t> local(AscendC::TPosition::VECIN, 0, 16);
    EXPECT_EQ(local.GetValue(3), -1);
    local.SetValue(3, 5);
  });
  EXPECT_TRUE(device.faults().empty());
}

// Memories are poisoned anew if somebody has been in them: whichever way.
TEST(Device, EachBlockFindsItsMemoryPoisonedHoweverItWasWritten) {
  using Local = AscendC::LocalTensor<int32_t>;
  const std::pair<const char*, void (*)(Local&)> ways[] = {
      {"an instruction", [](Local& local) { AscendC::Duplicate(local, 5, 64); }},
      {"scalar code", [](Local& local) { local.SetValue(3, 5); }},
      {"a reference", [](Local& local) { local(3) = 5; }},
      {"a pointer", [](Local& local) { reinterpret_cast<int32_t*>(local.GetPhyAddr())[3] = 5; }},
  };
  for (const Checks checks : {Checks::kOff, Checks::kBasic}) {
    for (const auto& [way, write] : ways) {
      Device device("Ascend310P", checks);
      const auto tensor = [] { return Local(AscendC::TPosition::VECIN, 0, 256); };
      device.launch(1, [&, write = write] {
        Local local = tensor();
        write(local);
      });
      device.launch(1, [&, way = way] { EXPECT_EQ(tensor().GetValue(3), -1) << way; });
      EXPECT_TRUE(device.faults().empty()) << way;
    }
  }
}

// Counts what passes the door.
class Counter final : public Tool {
 public:
  std::string_view name() const override { return "counter"; }
  void on_issue(CoreView&, const Record& record, std::span<const Region> regions) override {
    ++instructions;
    for (const Region& region : regions) {
      bytes[int(region.access)] += region.block_bytes * region.blocks * region.repeats;
    }
    last = record.instruction;
  }
  void on_flag(CoreView&, uint32_t, int32_t, bool set) override { flags += set ? 1 : -1; }

  int instructions = 0, flags = 0;
  uint64_t bytes[2] = {0, 0};
  const Instruction* last = nullptr;
};

TEST(Tool, SeesEveryInstructionWithItsRegions) {
  Device device("Ascend310P");
  Counter counter;
  device.add_tool(counter);
  device.launch(1, [&] {
    AscendC::LocalTensor<half> a(AscendC::TPosition::VECIN, 0, 512);
    AscendC::LocalTensor<half> b(AscendC::TPosition::VECIN, 2048, 512);
    AscendC::Duplicate(a, half(1), 512);
    AscendC::Add(b, a, a, uint64_t{64}, 2, {1, 1, 1, 8, 8, 8});
    AscendC::SetFlag<AscendC::HardEvent::V_S>(0);
    AscendC::WaitFlag<AscendC::HardEvent::V_S>(0);
  });
  EXPECT_EQ(counter.instructions, 2);
  EXPECT_EQ(counter.bytes[int(Access::kRead)], 2u * 2 * 64 * 2);
  EXPECT_EQ(counter.bytes[int(Access::kWrite)], 1024u + 2 * 64 * 2);
  EXPECT_EQ(counter.last, &isa::add);
  EXPECT_EQ(counter.flags, 0);
}

// Gathers two halves through offsets 0 and `far` bytes, with 256 bytes in each of three buffers.
std::vector<std::string> gather_over_buffers(uint32_t far) {
  Device device("Ascend310P");
  device.launch(1, [&] {
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> source, offsets, target;
    pipe.InitBuffer(source, 256);
    pipe.InitBuffer(offsets, 256);
    pipe.InitBuffer(target, 256);
    auto offset = offsets.Get<uint32_t>();
    offset.SetValue(0, 0);
    offset.SetValue(1, far);
    auto dst = target.Get<half>();
    AscendC::Gather(dst, source.Get<half>(), offset, 0u, uint64_t{2}, 1, 8);
  });
  return codes(device);
}

TEST(Allocation, AGatherMayReadFromSeveralBuffersButNotBehindTheLast) {
  EXPECT_EQ(gather_over_buffers(254), std::vector<std::string>{});
  EXPECT_EQ(gather_over_buffers(510), std::vector<std::string>{"V1011"});  // a warning
  EXPECT_EQ(gather_over_buffers(766), std::vector<std::string>{"V1011"});
  EXPECT_EQ(gather_over_buffers(768), std::vector<std::string>{"V1009"});
}

TEST(Region, ExtentsFollowStridesOfBothSigns) {
  Operand operand;
  const Region up{operand, "", Access::kRead, true, 1000, 32, 3, 64, 2, 512};
  EXPECT_EQ(up.first(), 1000u);
  EXPECT_EQ(up.end(), 1000u + 2 * 64 + 512 + 32);
  const Region down{operand, "", Access::kRead, true, 1000, 32, 3, -64, 1, 0};
  EXPECT_EQ(down.first(), 1000u - 128);
  EXPECT_EQ(down.end(), 1032u);
}

TEST(GlobalMemory, FindsBuffersAndOverruns) {
  GlobalMemory gm;
  uint8_t* a = gm.allocate(100, "a");
  uint8_t* b = gm.allocate(5000, "b");
  EXPECT_EQ(reinterpret_cast<uint64_t>(a) % 64, 0u);
  EXPECT_EQ(gm.find(reinterpret_cast<uint64_t>(a) + 99)->name, "a");
  EXPECT_EQ(gm.find(reinterpret_cast<uint64_t>(a) + 100), nullptr);
  EXPECT_EQ(gm.find(reinterpret_cast<uint64_t>(b))->name, "b");
  EXPECT_TRUE(gm.overrun().empty());
  a[100] = 0;
  ASSERT_EQ(gm.overrun().size(), 1u);
  EXPECT_EQ(gm.overrun()[0].name, "a");
  gm.release(a);
  EXPECT_TRUE(gm.overrun().empty());
}

TEST(GlobalMemory, TheByteBehindAPageIsOutOfReach) {
  GlobalMemory gm;
  uint8_t* data = gm.allocate(4096, "page");
  EXPECT_EXIT(
      {
        *const_cast<volatile uint8_t*>(data + 4096) = 1;
        std::exit(0);
      },
      [](int status) { return !WIFEXITED(status) || WEXITSTATUS(status) != 0; }, "");
}

}  // namespace
}  // namespace vinci
