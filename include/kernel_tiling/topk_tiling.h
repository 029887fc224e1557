// TopkTiling: vinci needs none of it; kernels read tmpLocalSize.
#pragma once

#include <cstdint>

namespace AscendC::tiling {

struct TopkTiling {
  int32_t tmpLocalSize = 0, allDataSize = 0, innerDataSize = 0;
  uint32_t sortRepeat = 0;
  int32_t mrgSortRepeat = 0, kAlignFourBytes = 0, kAlignTwoBytes = 0, maskOffset = 0;
  int32_t maskVreducev2FourBytes = 0, maskVreducev2TwoBytes = 0;
  int32_t mrgSortSrc1offset = 0, mrgSortSrc2offset = 0, mrgSortSrc3offset = 0;
  int32_t mrgSortTwoQueueSrc1Offset = 0, mrgFourQueueTailPara1 = 0, mrgFourQueueTailPara2 = 0;
  int32_t srcIndexOffset = 0;
  uint32_t copyUbToUbBlockCount = 0;
  int32_t topkMrgSrc1MaskSizeOffset = 0, topkNSmallSrcIndexOffset = 0;
  uint32_t vreduceValMask0 = 0, vreduceValMask1 = 0, vreduceIdxMask0 = 0, vreduceIdxMask1 = 0;
  uint16_t vreducehalfValMask0 = 0, vreducehalfValMask1 = 0, vreducehalfValMask2 = 0;
  uint16_t vreducehalfValMask3 = 0, vreducehalfValMask4 = 0, vreducehalfValMask5 = 0;
  uint16_t vreducehalfValMask6 = 0, vreducehalfValMask7 = 0;
};

}  // namespace AscendC::tiling

using AscendC::tiling::TopkTiling;

namespace AscendC::detail {

// Bytes for two copies of the records of all rows, and the indices of one.
constexpr uint64_t top_k_scratch(int32_t inner, int32_t outter, uint32_t /*element_bytes*/) {
  return uint64_t(uint32_t(inner)) * uint32_t(outter) * 16 + uint64_t(uint32_t(inner)) * 4;
}

}  // namespace AscendC::detail
