// dst = src0 + src1 on whole tensors.
#include <gtest/gtest.h>

#include "kernel_operator.h"
#include "vinci/device.h"

namespace vinci {
namespace {

TEST(TensorExpression, TheSumCoversTheDestinationAndNoMore) {
  Device device("Ascend310P", Checks::kBasic);
  device.launch(1, [] {
    using AscendC::TPosition;
    AscendC::LocalTensor<int32_t> a(TPosition::VECIN, 0, 40), b(TPosition::VECIN, 256, 40);
    AscendC::LocalTensor<int32_t> sum(TPosition::VECOUT, 512, 36),
        behind(TPosition::VECOUT, 656, 4);
    for (int i = 0; i < 40; ++i) {
      a.SetValue(i, i);
      b.SetValue(i, 100 * i);
    }
    sum = a + b;
    for (int i = 0; i < 36; ++i) EXPECT_EQ(sum.GetValue(i), 101 * i);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(behind.GetValue(i), -1);
  });
  EXPECT_TRUE(device.faults().empty());
}

TEST(TensorExpression, EachOperatorIsItsInstruction) {
  Device device("Ascend310P");
  device.launch(1, [] {
    using AscendC::TPosition;
    AscendC::LocalTensor<int16_t> a(TPosition::VECIN, 0, 16), b(TPosition::VECIN, 32, 16);
    AscendC::LocalTensor<int16_t> result(TPosition::VECOUT, 64, 16);
    AscendC::LocalTensor<float> c(TPosition::VECIN, 96, 8), d(TPosition::VECIN, 128, 8);
    AscendC::LocalTensor<float> quotient(TPosition::VECOUT, 160, 8);
    a.SetValue(3, 13);
    b.SetValue(3, 6);
    c.SetValue(3, 1.5f);
    d.SetValue(3, -4.0f);
    result = a - b;
    EXPECT_EQ(result.GetValue(3), 7);
    result = a * b;
    EXPECT_EQ(result.GetValue(3), 78);
    result = a & b;
    EXPECT_EQ(result.GetValue(3), 4);
    result = a | b;
    EXPECT_EQ(result.GetValue(3), 15);
    quotient = c / d;
    EXPECT_EQ(quotient.GetValue(3), -0.375f);
  });
  EXPECT_TRUE(device.faults().empty());
}

TEST(TensorExpression, AShorterSourceIsAFault) {
  Device device("Ascend310P", Checks::kStrict);
  device.launch(1, [] {
    using AscendC::TPosition;
    AscendC::LocalTensor<half> a(TPosition::VECIN, 0, 128), b(TPosition::VECIN, 256, 112);
    AscendC::LocalTensor<half> sum(TPosition::VECOUT, 512, 128);
    sum = a + b;
  });
  ASSERT_EQ(device.faults().size(), 1u);
  EXPECT_EQ(to_string(device.faults()[0].code), "V1001");
}

}  // namespace
}  // namespace vinci
