// How Conv3D is divided: the numbers that host code computes and kernels get, and who computes
// them.
#pragma once

#include <cstdint>

#include "vinci/conv3d_shape.h"

// In the order in which they lie in memory; Field(type, name).
#define VINCI_CONV3D_TILING(Field)                                                                 \
  Field(uint32_t, groups) Field(uint64_t, singleCoreDo) Field(uint32_t, singleCoreCo) Field(       \
      uint64_t, singleCoreM) Field(uint64_t, orgDo) Field(uint32_t, orgCo) Field(uint64_t, orgHo)  \
      Field(uint64_t, orgWo) Field(uint32_t, orgCi) Field(uint64_t, orgDi) Field(uint64_t, orgHi)  \
          Field(uint64_t, orgWi) Field(uint32_t, kernelD) Field(uint32_t, kernelH)                 \
              Field(uint32_t, kernelW) Field(uint32_t, strideD) Field(uint32_t, strideH)           \
                  Field(uint32_t, strideW) Field(uint32_t, dilationD) Field(uint32_t, dilationH)   \
                      Field(uint32_t, dilationW) Field(uint32_t, padHead) Field(uint32_t, padTail) \
                          Field(uint32_t, padUp) Field(uint32_t, padDown) Field(uint32_t, padLeft) \
                              Field(uint32_t, padRight) Field(uint32_t, mL0) Field(uint32_t, kL0)  \
                                  Field(uint32_t, nL0) Field(uint32_t, kAL1) Field(uint32_t, kBL1) \
                                      Field(uint32_t, nBL1) Field(uint32_t, mAL1)                  \
                                          Field(uint8_t, al1FullLoad) Field(uint8_t, bl1FullLoad)  \
                                              Field(uint8_t, iterateMNOrder)                       \
                                                  Field(uint8_t, biasFullLoadFlag)

namespace vinci {

struct Conv3dTilingData {
#define VINCI_FIELD(type, name) type name = 0;
  VINCI_CONV3D_TILING(VINCI_FIELD)
#undef VINCI_FIELD
};
static_assert(sizeof(Conv3dTilingData) == 192);

// The part of the output that one core does. -1: not said.
struct Conv3dPart {
  int64_t co = -1, depth = -1, m = -1;
};

struct Conv3dTilingRequest {
  Conv3dShape shape;
  Conv3dPart part;
  bool has_bias = false;
  Conv3dMemory memory;
};

// Whether there is one, which `tiling` then has; if not, stderr tells why.
bool conv3d_tiling(const Conv3dTilingRequest& request, Conv3dTilingData& tiling);

}  // namespace vinci
