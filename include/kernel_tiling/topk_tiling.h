// TopkTiling: vinci needs none of it; kernels read tmpLocalSize.
#pragma once

#include <cstdint>

#include "kernel_tiling/tiling_struct.h"

#define VINCI_TOP_K_TILING(Field)                                                                  \
  Field(int32_t, tmpLocalSize) Field(int32_t, allDataSize) Field(int32_t, innerDataSize) Field(    \
      uint32_t, sortRepeat) Field(int32_t, mrgSortRepeat) Field(int32_t, kAlignFourBytes)          \
      Field(int32_t, kAlignTwoBytes) Field(int32_t, maskOffset)                                    \
          Field(int32_t, maskVreducev2FourBytes) Field(int32_t, maskVreducev2TwoBytes) Field(      \
              int32_t, mrgSortSrc1offset) Field(int32_t, mrgSortSrc2offset)                        \
              Field(int32_t, mrgSortSrc3offset) Field(int32_t, mrgSortTwoQueueSrc1Offset) Field(   \
                  int32_t, mrgFourQueueTailPara1) Field(int32_t, mrgFourQueueTailPara2)            \
                  Field(int32_t, srcIndexOffset) Field(uint32_t, copyUbToUbBlockCount) Field(      \
                      int32_t, topkMrgSrc1MaskSizeOffset) Field(int32_t, topkNSmallSrcIndexOffset) \
                      Field(uint32_t, vreduceValMask0) Field(uint32_t, vreduceValMask1)            \
                          Field(uint32_t, vreduceIdxMask0) Field(uint32_t, vreduceIdxMask1)        \
                              Field(uint16_t, vreducehalfValMask0)                                 \
                                  Field(uint16_t, vreducehalfValMask1)                             \
                                      Field(uint16_t, vreducehalfValMask2)                         \
                                          Field(uint16_t, vreducehalfValMask3)                     \
                                              Field(uint16_t, vreducehalfValMask4)                 \
                                                  Field(uint16_t, vreducehalfValMask5)             \
                                                      Field(uint16_t, vreducehalfValMask6)         \
                                                          Field(uint16_t, vreducehalfValMask7)

namespace AscendC::tiling {

VINCI_LIBRARY_TILING(TopkTiling, VINCI_TOP_K_TILING)

}  // namespace AscendC::tiling

using AscendC::tiling::TopkTiling;

namespace AscendC::in_api {

// Bytes for two copies of the records of all rows, and the indices of one.
constexpr uint64_t top_k_scratch(int32_t inner, int32_t outter, uint32_t /*element_bytes*/) {
  return uint64_t(uint32_t(inner)) * uint32_t(outter) * 16 + uint64_t(uint32_t(inner)) * 4;
}

}  // namespace AscendC::in_api
