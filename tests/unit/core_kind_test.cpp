// What a core does with calls for the other kind: nothing, without harm, and it says so once.
#include <gtest/gtest.h>

#include <cstring>

#include "core/core.h"
#include "kernel_operator.h"
#include "vinci/device.h"

namespace vinci {
namespace {

using namespace AscendC;

constexpr uint32_t kCount = 128;

// A kernel of vector work alone, from queue to queue, without a word about kinds.
void add_one(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> from;
  TQue<TPosition::VECOUT, 1> to;
  TBuf<TPosition::VECCALC> more;
  pipe.InitBuffer(from, 2, kCount * 4);
  pipe.InitBuffer(to, 2, kCount * 4);
  pipe.InitBuffer(more, kCount * 4);
  GlobalTensor<float> x, y;
  x.SetGlobalBuffer(reinterpret_cast<float*>(in), kCount);
  y.SetGlobalBuffer(reinterpret_cast<float*>(out), kCount);
  for (int i = 0; i < 3; ++i) {
    LocalTensor<float> tile = from.AllocTensor<float>();
    DataCopy(tile, x, kCount);
    from.EnQue(tile);
    tile = from.DeQue<float>();
    LocalTensor<float> result = to.AllocTensor<float>();
    Adds(result, tile, 1.0f, int32_t(kCount));
    more.Get<float>().SetValue(3, 7);
    to.EnQue(result);
    from.FreeTensor(tile);
    result = to.DeQue<float>();
    DataCopy(y, result, kCount);
    to.FreeTensor(result);
  }
}

// A product of 16 x 16 ones, without a queue.
void multiply(GM_ADDR in, GM_ADDR out) {
  GlobalTensor<half> x;
  GlobalTensor<float> y;
  x.SetGlobalBuffer(reinterpret_cast<half*>(in), 256);
  y.SetGlobalBuffer(reinterpret_cast<float*>(out), 256);
  const LocalTensor<half> a1(TPosition::A1, 0, 256), a2(TPosition::A2, 0, 256),
      b2(TPosition::B2, 0, 256);
  const LocalTensor<float> c(TPosition::CO1, 0, 256);
  DataCopy(a1, x, Nd2NzParams(1, 16, 16, 0, 16, 16, 1, 0));
  SetFlag<HardEvent::MTE2_MTE1>(0);
  WaitFlag<HardEvent::MTE2_MTE1>(0);
  LoadData(a2, a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  LoadData(b2, a1, LoadData2DParams(0, 1, 1, 0, 0, true, 0));
  SetFlag<HardEvent::MTE1_M>(0);
  WaitFlag<HardEvent::MTE1_M>(0);
  MmadParams params;
  params.m = params.n = params.k = 16;
  params.cmatrixInitVal = true;
  Mmad(c, a2, b2, params);
  SetFlag<HardEvent::M_FIX>(0);
  WaitFlag<HardEvent::M_FIX>(0);
  FixpipeParamsV220 fix;
  fix.nSize = fix.mSize = fix.srcStride = fix.dstStride = 16;
  Fixpipe(y, c, fix);
}

struct Result {
  std::vector<float> out;
  std::vector<Fault> faults;
  bool finished;
};

Result launch(const Grid& grid, const std::function<void(GM_ADDR, GM_ADDR)>& kernel,
              Checks checks = Checks::kFull) {
  Device device("Ascend910B1", checks);
  auto* in = static_cast<uint8_t*>(device.allocate(1024, "in"));
  auto* out = static_cast<uint8_t*>(device.allocate(1024, "out"));
  const std::vector<half> ones(512, half(1));
  std::memcpy(in, ones.data(), 1024);
  std::memset(out, 0, 1024);
  const bool finished = device.launch(grid, [&] { kernel(in, out); });
  std::vector<float> values(256);
  std::memcpy(values.data(), out, 1024);
  return {values, device.faults(), finished};
}

TEST(CoreKind, AnAicLeavesOutVectorWork) {
  const Result on_both = launch({2, 1, 2}, add_one), on_aiv = launch({1, 0, 1}, add_one);
  EXPECT_TRUE(on_aiv.faults.empty());
  EXPECT_TRUE(on_both.finished);
  EXPECT_EQ(on_both.out, on_aiv.out);
  ASSERT_EQ(on_both.faults.size(), 1u);
  const Fault& told = on_both.faults[0];
  EXPECT_EQ(to_string(told.code), "V4008");
  EXPECT_TRUE(told.entry().warning);
  EXPECT_EQ(told.count, 2u);  // AICs
  EXPECT_EQ(told.core, "AIC");
  EXPECT_EQ(told.message,
            "DataCopy: an AIC lacks the units and memories for it and leaves it out, the first "
            "of 12 such calls");
  EXPECT_EQ(told.legal, "such calls behind if ASCEND_IS_AIV");
}

TEST(CoreKind, AnAivLeavesOutMatrixWork) {
  for (const Checks checks : {Checks::kOff, Checks::kBasic, Checks::kFull}) {
    const Result on_both = launch({1, 1, 2}, multiply, checks);
    EXPECT_TRUE(on_both.finished);
    EXPECT_EQ(on_both.out, std::vector<float>(256, 16.0f));
    ASSERT_EQ(on_both.faults.size(), 1u);
    EXPECT_EQ(to_string(on_both.faults[0].code), "V4008");
    EXPECT_EQ(on_both.faults[0].core, "AIV");
    EXPECT_EQ(on_both.faults[0].count, 2u);
    EXPECT_EQ(on_both.faults[0].message,
              "DataCopy (ND to NZ): an AIV lacks the units and memories for it and leaves it out, "
              "the first of 5 such calls");
  }
  const Result alone = launch({1, 0, 1}, multiply);
  EXPECT_EQ(alone.out, std::vector<float>(256, 0.0f));
}

// Waits of foreign pipes are over at once; those of the core's own pipes are judged as ever.
TEST(CoreKind, FlagsOfForeignPipesAreOverAtOnce) {
  const auto wait = [](auto event) {
    return [](GM_ADDR, GM_ADDR) {
      WaitFlag<decltype(event)::value>(1);
      SetFlag<decltype(event)::value>(1);
      PipeBarrier<PIPE_V>();
      PipeBarrier<PIPE_M>();
    };
  };
  const auto codes = [&](const Grid& grid, auto event) {
    std::vector<std::string> list;
    for (const Fault& fault : launch(grid, wait(event)).faults) {
      list.push_back(to_string(fault.code));
    }
    return list;
  };
  const Grid aic{1, 1, 0}, aiv{1, 0, 1};
  const std::vector<std::string> none, wrong{"V4001", "V4003"};
  using Vector = std::integral_constant<HardEvent, HardEvent::MTE2_V>;
  using Matrix = std::integral_constant<HardEvent, HardEvent::M_FIX>;
  using Both = std::integral_constant<HardEvent, HardEvent::MTE2_MTE3>;
  EXPECT_EQ(codes(aic, Vector{}), none);
  EXPECT_EQ(codes(aiv, Vector{}), wrong);
  EXPECT_EQ(codes(aic, Matrix{}), wrong);
  EXPECT_EQ(codes(aiv, Matrix{}), none);
  EXPECT_EQ(codes(aic, Both{}), wrong);
  EXPECT_EQ(codes(aiv, Both{}), wrong);
  EXPECT_EQ(codes({1}, Vector{}), wrong);
}

// What one core leaves in a tensor without memory no other sees.
TEST(CoreKind, TensorsWithoutMemoryHoldZeros) {
  const Result result = launch({4, 1, 0}, [](GM_ADDR, GM_ADDR out) {
    const LocalTensor<int32_t> tensor(TPosition::VECCALC, 0, 16);
    out[GetBlockIdx()] = uint8_t(tensor.GetValue(0));
    tensor.SetValue(0, 5);
    tensor.GetPhyAddr()[1] = 6;
    out[GetBlockIdx()] = uint8_t(out[GetBlockIdx()] + tensor.GetValue(0));
  });
  EXPECT_TRUE(result.finished);
  EXPECT_EQ(result.out[0], 0.0f);
  ASSERT_EQ(result.faults.size(), 1u);
  EXPECT_EQ(result.faults[0].count, 4u);
}

}  // namespace
}  // namespace vinci
