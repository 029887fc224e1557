// Instructions that are held back: what is issued later changes nothing of them, and what the kernel
// ordered stays in order.
#include <gtest/gtest.h>

#include <cstdlib>

#include "kernel_operator.h"
#include "vinci/device.h"

namespace vinci {
namespace {

using AscendC::GlobalTensor;
using AscendC::LocalTensor;
using AscendC::TPosition;

constexpr uint32_t kCount = 128;

LocalTensor<half> ub(uint32_t address) {
  return LocalTensor<half>(TPosition::VECCALC, address, kCount);
}

class InSchedule : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { setenv("VINCI_SCHEDULE", GetParam(), 1); }
  void TearDown() override { unsetenv("VINCI_SCHEDULE"); }

  // Runs a kernel on the numbers 0, 1, ...; what it leaves in `out`.
  template <class Kernel>
  std::vector<float> run(Kernel kernel) {
    Device device("Ascend310P3");
    auto* in = static_cast<half*>(device.allocate(kCount * sizeof(half), "in"));
    auto* out = static_cast<half*>(device.allocate(kCount * sizeof(half), "out"));
    for (uint32_t i = 0; i < kCount; ++i) in[i] = half(float(i));
    device.launch(1, [&] {
      GlobalTensor<half> from, to;
      from.SetGlobalBuffer(in, kCount);
      to.SetGlobalBuffer(out, kCount);
      kernel(from, to);
    });
    EXPECT_TRUE(device.faults().empty());
    return std::vector<float>(out, out + kCount);
  }

  std::vector<float> numbers_plus(float more, uint32_t lanes = kCount) {
    std::vector<float> numbers;
    for (uint32_t i = 0; i < kCount; ++i) numbers.push_back(float(i) + (i < lanes ? more : 0));
    return numbers;
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, InSchedule,
                         testing::Values("eager", "lazy", "random:1", "random:2", "random:3",
                                         "random:4", "random:5"));

TEST_P(InSchedule, FlagsOrderPipes) {
  const auto got = run([](GlobalTensor<half>& in, GlobalTensor<half>& out) {
    AscendC::DataCopy(ub(0), in, kCount);
    AscendC::SetFlag<HardEvent::MTE2_V>(0);
    AscendC::WaitFlag<HardEvent::MTE2_V>(0);
    AscendC::Adds(ub(0), ub(0), half(1.0f), kCount);
    AscendC::SetFlag<HardEvent::V_MTE3>(0);
    AscendC::WaitFlag<HardEvent::V_MTE3>(0);
    AscendC::DataCopy(out, ub(0), kCount);
  });
  EXPECT_EQ(got, numbers_plus(1));
}

TEST_P(InSchedule, QueuesOrderPipesInBothDirections) {
  const auto got = run([](GlobalTensor<half>& in, GlobalTensor<half>& out) {
    AscendC::TPipe pipe;
    AscendC::TQue<TPosition::VECIN, 1> loaded;
    AscendC::TQue<TPosition::VECOUT, 1> computed;
    pipe.InitBuffer(loaded, 1, 32);  // one buffer each: every step uses it again
    pipe.InitBuffer(computed, 1, 32);
    for (uint32_t i = 0; i < kCount; i += 16) {
      LocalTensor<half> x = loaded.AllocTensor<half>();
      AscendC::DataCopy(x, in[i], 16);
      loaded.EnQue(x);
      x = loaded.DeQue<half>();
      LocalTensor<half> y = computed.AllocTensor<half>();
      AscendC::Adds(y, x, half(2.0f), 16);
      loaded.FreeTensor(x);
      computed.EnQue(y);
      y = computed.DeQue<half>();
      AscendC::DataCopy(out[i], y, 16);
      computed.FreeTensor(y);
    }
  });
  EXPECT_EQ(got, numbers_plus(2));
}

TEST_P(InSchedule, AnInstructionKeepsTheRegistersThatItWasIssuedWith) {
  const auto got = run([](GlobalTensor<half>& in, GlobalTensor<half>& out) {
    AscendC::DataCopy(ub(0), in, kCount);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::SetVectorMask<half>(0, 0xF);
    AscendC::Adds<half, false>(ub(0), ub(0), half(3.0f), uint64_t{0}, 1, {1, 1, 8, 8});
    AscendC::SetVectorMask<half>(~uint64_t{0}, ~uint64_t{0});
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DataCopy(out, ub(0), kCount);
  });
  EXPECT_EQ(got, numbers_plus(3, 4));
}

TEST_P(InSchedule, ScalarCodeSeesWhatWasIssued) {
  run([](GlobalTensor<half>& in, GlobalTensor<half>&) {
    AscendC::DataCopy(ub(0), in, kCount);
    EXPECT_EQ(float(ub(0).GetValue(5)), 5.0f);
    AscendC::Adds(ub(0), ub(0), half(1.0f), kCount);
    EXPECT_EQ(float(ub(0).GetValue(5)), 6.0f);
  });
}

// Shows that there is something to order: without the wait, lazily, the vector pipe is the first.
TEST(Schedule, AMissingWaitShows) {
  setenv("VINCI_SCHEDULE", "lazy", 1);
  Device device("Ascend310P3");
  auto* in = static_cast<half*>(device.allocate(kCount * sizeof(half), "in"));
  for (uint32_t i = 0; i < kCount; ++i) in[i] = half(1.0f);
  device.launch(1, [&] {
    GlobalTensor<half> from;
    from.SetGlobalBuffer(in, kCount);
    AscendC::Duplicate(ub(0), half(5.0f), kCount);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DataCopy(ub(0), from, kCount);
    AscendC::Adds(ub(512), ub(0), half(0.0f), kCount);
    EXPECT_EQ(float(ub(512).GetValue(0)), 5.0f);
  });
  unsetenv("VINCI_SCHEDULE");
}

// What a Gather reads, its data decide. It may look at them when its own pipe has come so far, and
// hurries no other one.
TEST(Schedule, AMissingWaitShowsBehindAGather) {
  setenv("VINCI_SCHEDULE", "lazy", 1);
  Device device("Ascend310P3");
  auto* in = static_cast<half*>(device.allocate(kCount * sizeof(half), "in"));
  auto* offsets = static_cast<uint32_t*>(device.allocate(kCount * sizeof(uint32_t), "offsets"));
  for (uint32_t i = 0; i < kCount; ++i) {
    in[i] = half(1.0f);
    offsets[i] = (kCount - 1 - i) * sizeof(half);
  }
  device.launch(1, [&] {
    GlobalTensor<half> from;
    GlobalTensor<uint32_t> where;
    from.SetGlobalBuffer(in, kCount);
    where.SetGlobalBuffer(offsets, kCount);
    const LocalTensor<uint32_t> held(TPosition::VECCALC, 4096, kCount);
    AscendC::Duplicate(ub(0), half(5.0f), kCount);
    for (uint32_t i = 0; i < kCount; ++i) ub(2048).SetValue(i, half(float(i)));
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DataCopy(held, where, kCount);
    AscendC::SetFlag<HardEvent::MTE2_V>(0);
    AscendC::WaitFlag<HardEvent::MTE2_V>(0);
    AscendC::DataCopy(ub(0), from, kCount);
    AscendC::Gather(ub(1024), ub(2048), held, 0, kCount);
    AscendC::Adds(ub(512), ub(0), half(0.0f), kCount);
    EXPECT_EQ(float(ub(512).GetValue(0)), 5.0f);
    EXPECT_EQ(float(ub(1024).GetValue(1)), float(kCount - 2));
  });
  for (const Fault& fault : device.faults()) EXPECT_EQ(fault.code, Code::kRace) << fault.message;
  unsetenv("VINCI_SCHEDULE");
}

TEST(Schedule, AnUnknownOneIsRefused) {
  for (const char* kind : {"slow", "random:", "random:x", "lazy "}) {
    setenv("VINCI_SCHEDULE", kind, 1);
    EXPECT_THROW(Device("Ascend310P3"), std::invalid_argument) << kind;
  }
  unsetenv("VINCI_SCHEDULE");
}

TEST(Schedule, ABarrierNamesAPipe) {
  Device device("Ascend310P3");
  device.launch(1, [] {
    issue(PipeBarrierRecord{{&isa::pipe_barrier}, uint32_t(Pipe::kS)});
    issue(PipeBarrierRecord{{&isa::pipe_barrier}, 8});
    issue(PipeBarrierRecord{{&isa::pipe_barrier}, uint32_t(Pipe::kFix)});
    issue(PipeBarrierRecord{{&isa::pipe_barrier}, uint32_t(Pipe::kV)});
  });
  ASSERT_EQ(device.faults().size(), 2u);
  EXPECT_EQ(to_string(device.faults()[0].code), "V2001");
}

}  // namespace
}  // namespace vinci
