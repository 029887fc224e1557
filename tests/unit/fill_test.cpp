// Fill and BroadCastVecToMM against the documents' formulas, the bytes around them included.
#include <gtest/gtest.h>

#include <vector>

#include "kernel_operator.h"
#include "vinci/device.h"

namespace vinci {
namespace {

using AscendC::InitConstValueParams;
using AscendC::LocalTensor;
using AscendC::TPosition;

std::vector<std::string> run(const char* soc, const std::function<void()>& kernel) {
  Device device(soc, Checks::kBasic);  // what is not filled is looked at, too
  device.launch(1, kernel);
  std::vector<std::string> list;
  for (const Fault& fault : device.faults()) list.push_back(to_string(fault.code));
  return list;
}

// Runs of `blocks` blocks of `block_bytes`, `gap` blocks apart, hold 5; the rest is untouched (-1).
void expect_runs(const LocalTensor<int16_t>& tensor, int repeats, int blocks, int gap,
                 int block_bytes) {
  AscendC::PipeBarrier<PIPE_ALL>();
  const int block = block_bytes / 2;
  for (int i = 0; i < int(tensor.GetSize()); ++i) {
    const int in_run = i / block % (blocks + gap);
    const bool written = i / block / (blocks + gap) < repeats && in_run < blocks;
    ASSERT_EQ(tensor.GetValue(i), written ? 5 : -1) << i;
  }
}

TEST(Fill, WritesRunsOfBlocksInL1AndInL0) {
  for (const char* soc : {"Ascend910B1", "Ascend310B1"}) {
    EXPECT_TRUE(run(soc, [] {
                  LocalTensor<int16_t> l1(TPosition::A1, 64, 512), l0(TPosition::A2, 512, 4096);
                  AscendC::Fill(l1, InitConstValueParams<int16_t>(3, 2, 1, 5));
                  expect_runs(l1, 3, 2, 1, 32);
                  AscendC::Fill(l0, {2, 1, 3, 5});
                  expect_runs(l0, 2, 1, 3, 512);
                }).empty());
  }
}

TEST(Fill, OnThe310PCountsOnly512Bytes) {
  EXPECT_TRUE(run("Ascend310P3", [] {
                LocalTensor<int16_t> l0(TPosition::B2, 0, 2048);
                AscendC::InitConstValue(l0, InitConstValueParams<int16_t>(3, 9, 7, 5));
                expect_runs(l0, 3, 1, 0, 512);
              }).empty());
}

TEST(Fill, ConvertsTheValueToTheTensorsType) {
  run("Ascend910B1", [] {
    LocalTensor<bfloat16_t> b(TPosition::A2, 0, 256);
    AscendC::Fill(b, InitConstValueParams<float>(1, 1, 0, -2.5f));
    EXPECT_EQ(b.GetValue(255).bits, 0xC020);
    LocalTensor<float> f(TPosition::A2, 0, 128);
    AscendC::Fill(f, InitConstValueParams<float>(1, 1, 0, 1e-3f));
    EXPECT_EQ(f.GetValue(127), 1e-3f);
  });
}

TEST(Fill, TakesParametersInBraces) {
  EXPECT_TRUE(run("Ascend910B1", [] {
                using Trait = AscendC::TensorTrait<int16_t>;
                LocalTensor<Trait> l1(TPosition::A1, 0, 256);
                AscendC::Fill(l1, {1, 1, 0, 5});
                AscendC::InitConstValue(l1, {1, 1, 0, 7});
                EXPECT_EQ(LocalTensor<int16_t>(TPosition::A1, 0, 256).GetValue(15), 7);
              }).empty());
}

TEST(Fill, LimitsHaveTwoSides) {
  const auto fill = [](const char* soc, TPosition position, uint32_t address, uint16_t repeats) {
    return run(soc, [=] {
      LocalTensor<half> dst(position, address, 32768 - address / 2);
      AscendC::Fill(dst, InitConstValueParams<half>(repeats, 1, 0, half(1)));
    });
  };
  using Codes = std::vector<std::string>;
  EXPECT_EQ(fill("Ascend310P3", TPosition::A2, 0, 128), Codes{});
  EXPECT_EQ(fill("Ascend310P3", TPosition::A2, 0, 129), Codes{"V1001"});
  EXPECT_EQ(fill("Ascend310P3", TPosition::A2, 0, 256), Codes{"V2001"});
  EXPECT_EQ(fill("Ascend310P3", TPosition::A1, 0, 1), Codes{"V1005"});
  EXPECT_EQ(fill("Ascend910B1", TPosition::A1, 32, 1), Codes{});
  EXPECT_EQ(fill("Ascend910B1", TPosition::A1, 16, 1), Codes{"V1004"});
  EXPECT_EQ(fill("Ascend910B1", TPosition::A2, 256, 1), Codes{"V1004"});
  EXPECT_EQ(fill("Ascend910B1", TPosition::CO1, 0, 1), Codes{"V1005"});
  EXPECT_EQ(fill("Ascend310", TPosition::A2, 0, 1), Codes{"V6001"});
}

TEST(BroadCastVecToMM, GivesEachVectorToTheRowsOfAFractal) {
  EXPECT_TRUE(run("Ascend310P3", [] {
                LocalTensor<float> src(TPosition::VECIN, 0, 256);
                LocalTensor<float> dst(TPosition::CO1, 1024, 2048);
                for (int i = 0; i < 256; ++i) src.SetValue(i, float(i));
                AscendC::BroadCastVecToMM(dst, src, 2, 2, 1, 3);
                for (int i = 0; i < 2048; ++i) {
                  const int fractal = i / 256, block = fractal / 5, vector = fractal % 5;
                  const float value = dst.GetValue(i);
                  if (block > 1 || vector > 1) {
                    ASSERT_NE(value, value) << i;  // still the poison, a NaN
                  } else {
                    ASSERT_EQ(value, float(block * (2 * 16 + 8) + vector * 16 + i % 16)) << i;
                  }
                }
              }).empty());
}

TEST(BroadCastVecToMM, LimitsHaveTwoSides) {
  const auto broadcast = [](const char* soc, int32_t blocks, uint8_t length, uint32_t address) {
    return run(soc, [=] {
      LocalTensor<half> src(TPosition::VECIN, 0, 8192);
      LocalTensor<half> dst(TPosition::CO1, address, 131072 - address / 2);
      AscendC::BroadCastVecToMM(dst, src, blocks, length, 0, 0);
    });
  };
  using Codes = std::vector<std::string>;
  EXPECT_EQ(broadcast("Ascend310P3", 255, 1, 0), Codes{});
  EXPECT_EQ(broadcast("Ascend310P3", 1, 255, 512), Codes{});
  EXPECT_EQ(broadcast("Ascend310P3", 256, 1, 0), Codes{"V2001"});
  EXPECT_EQ(broadcast("Ascend310P3", 0, 1, 0), Codes{"V2001"});
  EXPECT_EQ(broadcast("Ascend310P3", 1, 0, 0), Codes{"V2001"});
  EXPECT_EQ(broadcast("Ascend310P3", 1, 1, 256), Codes{"V1004"});
  EXPECT_EQ(broadcast("Ascend910A", 1, 1, 0), Codes{"V6001"});
}

}  // namespace
}  // namespace vinci
