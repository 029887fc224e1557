// What TIK's documents allow and Ascend C's do not: the same records, on a core that reads TIK's
// tables.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/core.h"
#include "kernel_operator.h"
#include "vinci/device.h"

namespace vinci {
namespace {

using AscendC::CMPMODE;
using AscendC::LocalTensor;
using AscendC::SELMODE;
using AscendC::TPosition;

using Codes = std::vector<std::string>;

Codes run(const char* soc, FrontEnds front_end, const std::function<void()>& kernel) {
  static constexpr Caller kStatement{"statement", "script.py", 1};
  Device device(soc);
  device.launch(1, [&] {
    Core::current().set_caller(front_end == kTik ? &kStatement : nullptr);
    kernel();
  });
  Codes list;
  for (const Fault& fault : device.faults()) list.push_back(to_string(fault.code));
  return list;
}

// Refused in Ascend C, or told of, with `code`; clean in TIK.
void expect_tik_only(const char* soc, const char* code, const std::function<void()>& kernel) {
  EXPECT_EQ(run(soc, kAscendC, kernel), Codes{code}) << soc;
  EXPECT_EQ(run(soc, kTik, kernel), Codes{}) << soc;
}

template <class T>
LocalTensor<T> at(uint32_t address, uint32_t size = 128) {
  return LocalTensor<T>(TPosition::VECCALC, address, size);
}

TEST(FrontEnd, ComparisonsGoToWiderTensorsInTikWithoutAWarning) {
  const auto compare = [] {
    for (int i = 0; i < 128; ++i) {
      at<half>(0).SetValue(i, half(float(i)));
      at<half>(256).SetValue(i, half(float(127 - i)));
    }
    Compare(at<uint64_t>(512, 2), at<half>(0), at<half>(256), CMPMODE::GT, 128);
    if (Core::current().front_end() != kTik) return;
    EXPECT_EQ(at<uint64_t>(512, 2).GetValue(0), 0u);
    EXPECT_EQ(at<uint64_t>(512, 2).GetValue(1), ~uint64_t{0});
  };
  for (const char* soc : {"Ascend310", "Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1"}) {
    expect_tik_only(soc, "V2013", compare);
  }
  expect_tik_only("Ascend310P3-VectorCore", "V6001", compare);
}

TEST(FrontEnd, BytesCompareAndAreSelectedOnThe310B) {
  expect_tik_only("Ascend310B1", "V6002", [] {
    for (int i = 0; i < 128; ++i) {
      at<int8_t>(0).SetValue(i, int8_t(i - 64));
      at<int8_t>(128).SetValue(i, int8_t(0));
    }
    Compare(at<uint8_t>(512), at<int8_t>(0), at<int8_t>(128), CMPMODE::LE, 128);
    if (Core::current().front_end() != kTik) return;
    for (int i = 0; i < 16; ++i) {
      EXPECT_EQ(at<uint8_t>(512).GetValue(i), i < 8 ? 0xFF : i == 8 ? 1 : 0);
    }
    Select(at<int8_t>(256), at<uint8_t>(512), at<int8_t>(0), int8_t(7),
           SELMODE::VSEL_TENSOR_SCALAR_MODE, 128);
    for (int i = 0; i < 128; ++i) EXPECT_EQ(at<int8_t>(256).GetValue(i), i <= 64 ? i - 64 : 7);
  });
}

TEST(FrontEnd, TheRegisterIsOnEveryChipInTik) {
  for (const char* soc : {"Ascend310", "Ascend910A", "Ascend310P3-VectorCore", "Ascend310B1"}) {
    expect_tik_only(soc, "V6001", [] {
      for (int i = 0; i < 128; ++i) {
        at<half>(0).SetValue(i, half(float(i % 3)));
        at<half>(256).SetValue(i, half(1.0f));
      }
      const uint64_t mask[] = {0xFFFF, 0};
      AscendC::Compare(at<half>(0), at<half>(256), CMPMODE::EQ, mask, {1, 1, 1, 8, 8, 8});
      if (Core::current().front_end() != kTik) return;
      // 16 bytes will do for TIK.
      GetCmpMask(at<uint64_t>(512, 2));
      EXPECT_EQ(at<uint64_t>(512, 2).GetValue(0), 0x2492u);
      SetCmpMask(at<uint64_t>(512, 2));
      AscendC::ResetMask();
      AscendC::Select<half, SELMODE::VSEL_CMPMASK_SPR>(at<half>(1024), at<half>(0), at<half>(256),
                                                       1, {1, 1, 1, 8, 8, 8});
      EXPECT_EQ(at<half>(1024).GetValue(4).bits, half(1.0f).bits);
    });
  }
}

TEST(FrontEnd, TypesThatOnlyAscendCHas) {
  const auto gather = [] {
    uint64_t kept = 0;
    GatherMask(at<bfloat16_t>(0), at<bfloat16_t>(512), 1, false, 0, {1, 1, 8, 0}, kept);
  };
  EXPECT_EQ(run("Ascend910B1", kAscendC, gather), Codes{});
  EXPECT_EQ(run("Ascend910B1", kTik, gather), Codes{"V6002"});
  const auto scalar = [] { CompareScalar(at<uint8_t>(0), at<int32_t>(512), 3, CMPMODE::EQ, 128); };
  EXPECT_EQ(run("Ascend910B1", kAscendC, scalar), Codes{});
  EXPECT_EQ(run("Ascend910B1", kTik, scalar), Codes{"V6002"});
  const auto brcb = [] { Brcb(at<half>(0), at<half>(512), 1, {1, 8}); };
  EXPECT_EQ(run("Ascend310P3", kAscendC, brcb), Codes{});
  EXPECT_EQ(run("Ascend310P3", kTik, brcb), Codes{"V6001"});
}

TEST(FrontEnd, InstructionsThatTikHasOnMoreChips) {
  expect_tik_only("Ascend310B1", "V6001", [] {
    at<uint16_t>(512).SetValue(7, 99);
    Brcb(at<uint16_t>(0), at<uint16_t>(512), 1, {1, 8});
    if (Core::current().front_end() != kTik) return;
    EXPECT_EQ(at<uint16_t>(0).GetValue(127), 99);
  });
  expect_tik_only("Ascend310P3-VectorCore", "V6001", [] {
    for (int i = 0; i < 128; ++i) at<uint16_t>(512).SetValue(i, uint16_t(i));
    uint64_t kept = 0;
    GatherMask(at<uint16_t>(0), at<uint16_t>(512), 4, false, 0, {1, 1, 8, 0}, kept);
    if (Core::current().front_end() != kTik) return;
    EXPECT_EQ(kept, 32u);
    EXPECT_EQ(at<uint16_t>(0).GetValue(31), 125);
  });
}

TEST(FrontEnd, ComparesOfInt32AreEqualityAlone) {
  for (const char* soc : {"Ascend910B1", "Ascend310B1"}) {
    const auto compare = [](CMPMODE mode) {
      return [mode] { Compare(at<uint16_t>(0), at<int32_t>(512), at<int32_t>(1024), mode, 64); };
    };
    EXPECT_EQ(run(soc, kTik, compare(CMPMODE::EQ)), Codes{}) << soc;
    EXPECT_EQ(run(soc, kTik, compare(CMPMODE::NE)), Codes{"V6002"}) << soc;
  }
}

}  // namespace
}  // namespace vinci
