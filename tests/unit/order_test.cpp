// What orders what, row by row: instructions that nothing orders are seen in both orders, those
// that the table, a barrier or a flag orders in one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <set>
#include <string>

#include "kernel_operator.h"
#include "vinci/device.h"

namespace vinci {
namespace {

using AscendC::GlobalTensor;
using AscendC::LocalTensor;
using AscendC::TPosition;

constexpr uint32_t kCount = 128;

struct Gm {
  explicit Gm(void* data) { tensor.SetGlobalBuffer(static_cast<half*>(data), 2 * kCount); }
  GlobalTensor<half> tensor;  // ones, then twos
};
using Kernel = float (*)(Gm&, bool ordered);

LocalTensor<half> ub(uint32_t address = 0) {
  return LocalTensor<half>(TPosition::VECCALC, address, kCount);
}
void everything() { AscendC::PipeBarrier<PIPE_ALL>(); }

// Writes through a pointer, when nothing is under way.
template <class T>
void fill(TPosition position, uint32_t address, uint32_t count, T value) {
  T* first = LocalTensor<T>(position, address, count).GetPhyAddr();
  for (uint32_t i = 0; i < count; ++i) first[i] = value;
}

// Two instructions of one pipe: 2 (or more) if they take effect one after the other, 1 if not.
float two_vectors(Gm&, bool ordered) {
  AscendC::Duplicate(ub(), half(1.0f), kCount);
  if (ordered) AscendC::PipeBarrier<PIPE_V>();
  AscendC::Adds(ub(), ub(), half(1.0f), kCount);
  everything();
  return *ub().GetPhyAddr();
}

float two_vectors_of_pointers(Gm&, bool ordered) {
  uint64_t to[16], from[16];
  for (uint32_t i = 0; i < 16; ++i) {
    to[i] = (uint64_t)ub(1024 + 32 * i).GetPhyAddr();
    from[i] = (uint64_t)ub(32 * i).GetPhyAddr();
  }
  fill(TPosition::VECCALC, 0, 256, half(1.0f));
  AscendC::Duplicate(LocalTensor<half>(TPosition::VECCALC, 0, 256), half(2.0f), 256);
  if (ordered) AscendC::PipeBarrier<PIPE_V>();
  AscendC::TransDataTo5HD<half>(to, from, AscendC::TransDataTo5HDParams(false, false, 1, 0, 0));
  everything();
  return *ub(1024).GetPhyAddr();
}

float two_loads(Gm& gm, bool ordered) {
  AscendC::DataCopy(ub(), gm.tensor, kCount);
  if (ordered) AscendC::PipeBarrier<PIPE_MTE2>();
  AscendC::DataCopy(ub(), gm.tensor[kCount], kCount);
  everything();
  return *ub().GetPhyAddr();
}

float two_stores(Gm& gm, bool ordered) {
  fill(TPosition::VECCALC, 0, kCount, half(1.0f));
  fill(TPosition::VECCALC, 1024, kCount, half(2.0f));
  AscendC::DataCopy(gm.tensor, ub(0), kCount);
  if (ordered) AscendC::PipeBarrier<PIPE_MTE3>();
  AscendC::DataCopy(gm.tensor, ub(1024), kCount);
  everything();
  return *gm.tensor.GetPhyAddr();
}

float two_loads_of_l0(Gm&, bool ordered) {
  fill(TPosition::A1, 0, 256, half(1.0f));
  fill(TPosition::A1, 512, 256, half(2.0f));
  const LocalTensor<half> a2(TPosition::A2, 0, 256);
  const AscendC::LoadData2DParams one(0, 1, 1, 0, 0, false, 0);
  AscendC::LoadData(a2, LocalTensor<half>(TPosition::A1, 0, 256), one);
  if (ordered) AscendC::PipeBarrier<PIPE_MTE1>();
  AscendC::LoadData(a2, LocalTensor<half>(TPosition::A1, 512, 256), one);
  everything();
  return *a2.GetPhyAddr();
}

// The second adds to the first: each sum is 1 in the first product.
template <int fractals>
float two_products(Gm&, bool ordered) {
  constexpr uint16_t rows = fractals * 16;
  fill(TPosition::A2, 0, rows * 16u, half(1.0f));
  fill(TPosition::B2, 0, 256, half(0.0625f));
  const LocalTensor<half> a(TPosition::A2, 0, rows * 16u), b(TPosition::B2, 0, 256);
  const LocalTensor<float> c(TPosition::CO1, 0, rows * 16u);
  AscendC::Mmad(c, a, b, AscendC::MmadParams(rows, 16, 16, 0, false, true));
  if (ordered) AscendC::PipeBarrier<PIPE_M>();
  AscendC::Mmad(c, a, b, AscendC::MmadParams(rows, 16, 16, 0, false, false));
  everything();
  return *c.GetPhyAddr();
}

float two_results(Gm& gm, bool ordered) {
  GlobalTensor<float> to;
  to.SetGlobalBuffer(reinterpret_cast<float*>(gm.tensor.GetPhyAddr(0)), kCount);
  const LocalTensor<float> one(TPosition::CO1, 0, 256), two(TPosition::CO1, 1024, 256);
  fill(TPosition::CO1, 0, 256, 1.0f);
  fill(TPosition::CO1, 1024, 256, 2.0f);
  AscendC::FixpipeParamsV220 params;
  params.nSize = params.dstStride = params.srcStride = 16;
  params.mSize = 1;
  AscendC::Fixpipe(to, one, params);
  if (ordered) AscendC::PipeBarrier<PIPE_FIX>();
  AscendC::Fixpipe(to, two, params);
  everything();
  return *to.GetPhyAddr();
}

// Whether the device found a race, and nothing else.
bool tells_race(const Device& device) {
  for (const Fault& fault : device.faults()) EXPECT_EQ(fault.code, Code::kRace) << fault.message;
  return !device.faults().empty();
}

// What `kernel` gives: 2 in program order. GM has ones, then twos. A run that comes out otherwise
// has a race, which is told however it comes out; what pointers touch is not `seen`.
float run(const std::string& schedule, bool auto_sync, const char* chip, Kernel kernel,
          bool ordered, bool seen = true) {
  setenv("VINCI_SCHEDULE", schedule.c_str(), 1);
  setenv("VINCI_AUTO_SYNC", auto_sync ? "on" : "off", 1);
  Device device(chip);
  auto* data = static_cast<half*>(device.allocate(2 * kCount * sizeof(half), "gm"));
  for (uint32_t i = 0; i < 2 * kCount; ++i) data[i] = half(i < kCount ? 1.0f : 2.0f);
  float got = 0;
  device.launch(1, [&] {
    Gm gm(data);
    got = kernel(gm, ordered);
  });
  unsetenv("VINCI_AUTO_SYNC");
  unsetenv("VINCI_SCHEDULE");
  const bool told = tells_race(device);
  if (schedule == "lazy") {
    EXPECT_EQ(told, seen && got != 2.0f);
  }
  EXPECT_TRUE(told || !seen || got == 2.0f);
  return got;
}

std::set<float> seen(bool auto_sync, const char* chip, Kernel kernel, bool ordered) {
  std::set<float> all = {run("lazy", auto_sync, chip, kernel, ordered)};
  for (int seed = 0; seed < 12; ++seed) {
    all.insert(run("random:" + std::to_string(seed), auto_sync, chip, kernel, ordered));
  }
  return all;
}

using Values = std::set<float>;
enum class By { kKernel, kCompiler, kHardware };

struct Row {
  const char* name;
  Kernel kernel;
  By by;
  bool newer_only = false;  // old chips have no such pipe
};

class InOrder : public testing::TestWithParam<std::tuple<Row, const char*>> {};

TEST_P(InOrder, OnlyByWhatTheTableSays) {
  const auto& [row, chip] = GetParam();
  const Values in_order = {2.0f}, either = {1.0f, 2.0f};
  if (row.newer_only && std::string(chip) == "Ascend310P3") return;
  EXPECT_EQ(run("eager", false, chip, row.kernel, false), 2.0f);
  EXPECT_EQ(seen(true, chip, row.kernel, true), in_order);
  EXPECT_EQ(seen(false, chip, row.kernel, true), in_order);
  EXPECT_EQ(seen(true, chip, row.kernel, false), row.by == By::kKernel ? either : in_order);
  EXPECT_EQ(seen(false, chip, row.kernel, false), row.by == By::kHardware ? in_order : either);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, InOrder,
    testing::Combine(testing::Values(Row{"V", two_vectors, By::kCompiler},
                                     Row{"Pointers", two_vectors_of_pointers, By::kKernel},
                                     Row{"MTE2", two_loads, By::kKernel},
                                     Row{"MTE3", two_stores, By::kKernel},
                                     Row{"MTE1", two_loads_of_l0, By::kKernel},
                                     Row{"M9", two_products<9>, By::kKernel},
                                     Row{"M10", two_products<10>, By::kHardware},
                                     Row{"FIX", two_results, By::kKernel, true}),
                     testing::Values("Ascend310P3", "Ascend910B1")),
    [](const auto& test) {
      return std::string(std::get<0>(test.param).name) + "_" + std::get<1>(test.param);
    });

constexpr const char* kChip = "Ascend310P3";

// `auto_sync` on, then off, lazily.
std::pair<float, float> with_and_without(Kernel kernel, bool ordered = false, bool seen = true) {
  return {run("lazy", true, kChip, kernel, ordered, seen),
          run("lazy", false, kChip, kernel, ordered, seen)};
}
constexpr std::pair<float, float> kByCompiler{2.0f, 1.0f}, kByKernel{1.0f, 1.0f},
    kAlways{2.0f, 2.0f};

TEST(ScalarOrder, GetValueAfterAVector) {
  const auto kernel = [](Gm&, bool) {
    fill(TPosition::VECCALC, 0, kCount, half(1.0f));
    AscendC::Duplicate(ub(), half(2.0f), kCount);
    return float(ub().GetValue(0));
  };
  EXPECT_EQ(with_and_without(kernel), kByCompiler);
}

TEST(ScalarOrder, GetValueAfterALoad) {
  const auto kernel = [](Gm& gm, bool) {
    fill(TPosition::VECCALC, 0, kCount, half(1.0f));
    AscendC::DataCopy(ub(), gm.tensor[kCount], kCount);
    return float(ub().GetValue(0));
  };
  EXPECT_EQ(with_and_without(kernel), kByCompiler);
}

TEST(ScalarOrder, SetValueAfterAStore) {
  const auto kernel = [](Gm& gm, bool) {
    fill(TPosition::VECCALC, 0, kCount, half(2.0f));
    AscendC::DataCopy(gm.tensor, ub(), kCount);
    ub().SetValue(0, half(1.0f));
    everything();
    return float(*gm.tensor.GetPhyAddr());
  };
  EXPECT_EQ(with_and_without(kernel), kByCompiler);
}

// On the halves of a split chip the compiler adds something to vector cores only.
TEST(ScalarOrder, OfTheHalvesOfACore) {
  const auto got = [](const Grid& grid, TPosition position) {
    setenv("VINCI_SCHEDULE", "lazy", 1);
    Device device("Ascend910B1");
    auto* data = static_cast<half*>(device.allocate(kCount * sizeof(half), "gm"));
    for (uint32_t i = 0; i < kCount; ++i) data[i] = half(2.0f);
    float seen = 0;
    device.launch(grid, [&] {
      GlobalTensor<half> gm;
      gm.SetGlobalBuffer(data, kCount);
      const LocalTensor<half> local(position, 0, kCount);
      fill(position, 0, kCount, half(1.0f));
      AscendC::DataCopy(local, gm, kCount);
      seen = float(local.GetValue(0));
    });
    unsetenv("VINCI_SCHEDULE");
    EXPECT_EQ(tells_race(device), seen != 2.0f);
    return seen;
  };
  EXPECT_EQ(got(Grid{1, 0, 1}, TPosition::VECIN), 2.0f);
  EXPECT_EQ(got(Grid{1, 1, 0}, TPosition::A1), 1.0f);
}

// The compiler adds nothing for the matrix unit.
TEST(ScalarOrder, GetValueAfterAProduct) {
  const auto kernel = [](Gm&, bool ordered) {
    fill(TPosition::A2, 0, 256, half(1.0f));
    fill(TPosition::B2, 0, 256, half(0.125f));
    fill(TPosition::CO1, 0, 256, 1.0f);
    const LocalTensor<half> a(TPosition::A2, 0, 256), b(TPosition::B2, 0, 256);
    const LocalTensor<float> c(TPosition::CO1, 0, 256);
    AscendC::Mmad(c, a, b, AscendC::MmadParams(16, 16, 16, 0, false, true));
    if (ordered) {
      AscendC::SetFlag<HardEvent::M_S>(0);
      AscendC::WaitFlag<HardEvent::M_S>(0);
    }
    return float(c.GetValue(0));
  };
  EXPECT_EQ(with_and_without(kernel, false), kByKernel);
  EXPECT_EQ(with_and_without(kernel, true), kAlways);
}

TEST(ScalarOrder, APointerAfterAVector) {
  const auto kernel = [](Gm&, bool ordered) {
    fill(TPosition::VECCALC, 0, kCount, half(1.0f));
    AscendC::Duplicate(ub(), half(2.0f), kCount);
    if (ordered) {
      AscendC::SetFlag<HardEvent::V_S>(0);
      AscendC::WaitFlag<HardEvent::V_S>(0);
    }
    return float(*ub().GetPhyAddr());
  };
  EXPECT_EQ(with_and_without(kernel, false, false), kByKernel);
  EXPECT_EQ(with_and_without(kernel, true, false), kAlways);
}

TEST(VectorOrder, AFlagFromVToV) {
  const auto kernel = [](Gm&, bool) {
    AscendC::Duplicate(ub(), half(1.0f), kCount);
    AscendC::SetFlag<HardEvent::V_V>(0);
    AscendC::WaitFlag<HardEvent::V_V>(0);
    AscendC::Adds(ub(), ub(), half(1.0f), kCount);
    everything();
    return float(*ub().GetPhyAddr());
  };
  EXPECT_EQ(with_and_without(kernel), kAlways);
}

// Queues order pipes, and nothing within one.
TEST(VectorOrder, AQueueFromVToV) {
  const auto kernel = [](Gm&, bool) {
    AscendC::TPipe pipe;
    AscendC::TQue<TPosition::VECCALC, 1> queue;
    pipe.InitBuffer(queue, 1, kCount * sizeof(half));
    LocalTensor<half> x = queue.AllocTensor<half>();
    AscendC::Duplicate(x, half(1.0f), kCount);
    queue.EnQue(x);
    x = queue.DeQue<half>();
    AscendC::Adds(x, x, half(1.0f), kCount);
    everything();
    const float got = *x.GetPhyAddr();
    queue.FreeTensor(x);
    return got;
  };
  EXPECT_EQ(with_and_without(kernel), kByCompiler);
}

// CMPMASK is a register: the hardware has it in order.
TEST(VectorOrder, ARegisterBetweenTwo) {
  const auto kernel = [](Gm&, bool) {
    fill(TPosition::VECCALC, 0, kCount, half(1.0f));
    fill(TPosition::VECCALC, 1024, kCount, half(2.0f));
    const AscendC::BinaryRepeatParams params(1, 1, 1, 8, 8, 8);
    AscendC::Compare(ub(0), ub(1024), AscendC::CMPMODE::GT, uint64_t(kCount), params);  // no lane
    everything();
    AscendC::Compare(ub(1024), ub(0), AscendC::CMPMODE::GT, uint64_t(kCount), params);  // all
    AscendC::Select<half, AscendC::SELMODE::VSEL_CMPMASK_SPR>(ub(2048), ub(1024), ub(0), 1, params);
    everything();
    return float(*ub(2048).GetPhyAddr());
  };
  EXPECT_EQ(with_and_without(kernel), kAlways);
}

TEST(AutoSync, IsOnOrOff) {
  for (const char* value : {"maybe", "0", "Off"}) {
    setenv("VINCI_AUTO_SYNC", value, 1);
    EXPECT_THROW(Device("Ascend310P3"), std::invalid_argument) << value;
  }
  unsetenv("VINCI_AUTO_SYNC");
}

}  // namespace
}  // namespace vinci
