// What host code is told about chips, and the names that build files have for them.
#include "vinci/platform.h"

#include <gtest/gtest.h>

#include "soc/soc.h"
#include "tiling/platform/platform_ascendc.h"

namespace vinci {
namespace {

using platform_ascendc::CoreMemType;
using platform_ascendc::PlatformAscendC;

uint64_t size_of(const PlatformAscendC& chip, CoreMemType type) {
  uint64_t size = 1;
  chip.GetCoreMemSize(type, size);
  return size;
}

TEST(Platform, CountsTheCoresOfASplitChipByKind) {
  const PlatformAscendC chip(platform("ascend910b3"));
  EXPECT_EQ(chip.GetCoreNumAic(), 20u);
  EXPECT_EQ(chip.GetCoreNumAiv(), 40u);
  EXPECT_EQ(chip.GetCoreNum(), 40u);
  EXPECT_EQ(chip.GetCoreNumVector(), 0u);
  EXPECT_EQ(chip.GetSocVersion(), platform_ascendc::SocVersion::ASCEND910B);
  EXPECT_EQ(chip.GetCurNpuArch(), NpuArch::DAV_2201);
}

TEST(Platform, CountsTheCoresOfACoupledChip) {
  const PlatformAscendC chip(platform("Ascend310P1"));
  EXPECT_EQ(chip.GetCoreNumAic(), 10u);
  EXPECT_EQ(chip.GetCoreNumAiv(), 10u);
  EXPECT_EQ(chip.GetCoreNum(), 10u);
  EXPECT_EQ(chip.GetCoreNumVector(), 8u);
  EXPECT_EQ(PlatformAscendC(platform("Ascend910A")).GetCoreNumVector(), 0u);
  EXPECT_EQ(PlatformAscendC(platform("Ascend310B1")).GetCoreNumVector(), 0u);
}

TEST(Platform, TellsTheSizeOfEachMemory) {
  PlatformAscendC chip(platform("Ascend910B1"));
  EXPECT_EQ(size_of(chip, CoreMemType::L0_A), 65536u);
  EXPECT_EQ(size_of(chip, CoreMemType::L0_B), 65536u);
  EXPECT_EQ(size_of(chip, CoreMemType::L0_C), 131072u);
  EXPECT_EQ(size_of(chip, CoreMemType::L1), 524032u);
  EXPECT_EQ(size_of(chip, CoreMemType::L2), 201326592u);
  EXPECT_EQ(size_of(chip, CoreMemType::UB), 196352u);
  EXPECT_EQ(size_of(chip, CoreMemType::FB), 7168u);
  EXPECT_EQ(size_of(chip, CoreMemType::BT), 1024u);
  EXPECT_EQ(size_of(chip, CoreMemType::RESERVED), 0u);
  chip.ReserveLocalMemory(platform_ascendc::ReservedSize::RESERVED_SIZE_32K);
  EXPECT_EQ(size_of(chip, CoreMemType::UB), 163584u);
  chip.ReserveLocalMemory(platform_ascendc::ReservedSize::RESERVED_SIZE_8K);
  EXPECT_EQ(size_of(chip, CoreMemType::UB), 188160u);
}

TEST(Platform, GivesBlocksForSlices) {
  const PlatformAscendC chip(platform("Ascend910B1"));
  EXPECT_EQ(chip.CalcTschNumBlocks(48, 24, 48), 24u);
  EXPECT_EQ(chip.CalcTschNumBlocks(47, 24, 48), 24u);
  EXPECT_EQ(chip.CalcTschNumBlocks(48, 0, 48), 48u);
  EXPECT_EQ(chip.CalcTschNumBlocks(24, 24, 0), 24u);
  EXPECT_EQ(chip.CalcTschNumBlocks(49, 24, 48), 0u);  // 25 pairs, of which there are 24
  EXPECT_EQ(chip.CalcTschBlockDim(20, 24, 48), 10u);
}

TEST(Platform, KnowsChipsAsBuildFilesSpellThem) {
  EXPECT_EQ(find_toolkit_soc("Ascend910B")->arch->npu_arch, 1001);
  EXPECT_EQ(find_toolkit_soc("ASCEND910B1")->arch->npu_arch, 2201);
  EXPECT_EQ(find_toolkit_soc("ascend310p")->name, "Ascend310P3");
  EXPECT_EQ(find_toolkit_soc("Ascend910_9362")->name, "Ascend910_9362");
  EXPECT_EQ(find_toolkit_soc("Ascend910B5"), nullptr);
  EXPECT_EQ(find_toolkit_soc(""), nullptr);
  EXPECT_EQ(platform("Ascend910B5"), nullptr);
}

}  // namespace
}  // namespace vinci
