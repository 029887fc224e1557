// What host programs ask for the scratch memory of functions that work element by element.
// `srcShape` has GetShapeSize(): a TensorShape, a ge::Shape.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ascendc/scratch.h"

// GetXTmpBufferFactorSize: the most elements of one step are
//   (bytes to spare - extraBuffer) / maxLiveNodeCount / typeSize
#define VINCI_SCRATCH_SIZES(Name, halves, floats, more)                                           \
  namespace AscendC {                                                                             \
  template <class Shape>                                                                          \
  void Get##Name##MaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize,                   \
                                const bool /*isReuseSource*/, uint32_t& maxValue,                 \
                                uint32_t& minValue) {                                             \
    const detail::Scratch scratch = detail::scratch_of_##Name(typeSize);                          \
    minValue = uint32_t(scratch.least());                                                         \
    maxValue = uint32_t(scratch.most(uint64_t(srcShape.GetShapeSize()) * typeSize));              \
  }                                                                                               \
  inline void Get##Name##TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, \
                                             uint32_t& extraBuffer) {                             \
    const detail::Scratch scratch = detail::scratch_of_##Name(typeSize);                          \
    maxLiveNodeCount = scratch.factor;                                                            \
    extraBuffer = scratch.extra;                                                                  \
  }                                                                                               \
  }
VINCI_SCRATCH_OF_ELEMENTS(VINCI_SCRATCH_SIZES)
#undef VINCI_SCRATCH_SIZES

namespace AscendC {

// ClampMax and ClampMin have one function.
template <class Shape>
void GetClampMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                           uint32_t& maxValue, uint32_t& minValue) {
  GetClampMaxMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}
inline void GetClampTmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount,
                                        uint32_t& extraBuffer) {
  GetClampMaxTmpBufferFactorSize(typeSize, maxLiveNodeCount, extraBuffer);
}

// Sin and Cos with a configuration, which has no effect on the size.
template <class Config, class Shape>
void GetSinMaxMinTmpSize(const Config&, const Shape& srcShape, const uint32_t typeSize,
                         const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) {
  GetSinMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}
template <class Config, class Shape>
void GetCosMaxMinTmpSize(const Config&, const Shape& srcShape, const uint32_t typeSize,
                         const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) {
  GetCosMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}

// Power takes the shapes of both, of which a scalar's counts one element.
template <class Shape>
void GetPowerMaxMinTmpSize(const Shape& srcShape1, const Shape& srcShape2, const bool /*typeIsInt*/,
                           const uint32_t typeSize, const bool isReuseSource, uint32_t& maxValue,
                           uint32_t& minValue) {
  const bool first = srcShape1.GetShapeSize() >= srcShape2.GetShapeSize();
  GetPowerMaxMinTmpSize(first ? srcShape1 : srcShape2, typeSize, isReuseSource, maxValue, minValue);
}
inline void GetPowerTmpBufferFactorSize(const bool, const bool, const bool, const uint32_t typeSize,
                                        uint32_t& maxLiveNodeCount, uint32_t& extraBuffer) {
  GetPowerTmpBufferFactorSize(typeSize, maxLiveNodeCount, extraBuffer);
}

// SwiGLU has the flag last.
template <class Shape>
void GetSwiGLUMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                            uint32_t& minValue, const bool isReuseSource) {
  GetSwiGLUMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}

// The Gelu family, and Silu and Swish, which need none.
template <class Shape>
void GetGeluMaxMinTmpSize(const Shape& srcShape, const uint32_t, uint32_t& maxValue,
                          uint32_t& minValue) {
  minValue = 768;
  maxValue = std::max<uint32_t>(768, uint32_t(12 * srcShape.GetShapeSize()));
}
template <class Shape>
uint32_t GetGeluMaxTmpSize(const Shape& srcShape, const uint32_t typeSize) {
  uint32_t most = 0, least = 0;
  GetGeluMaxMinTmpSize(srcShape, typeSize, most, least);
  return most;
}
template <class Shape>
uint32_t GetGeluMinTmpSize(const Shape&, const uint32_t) {
  return 768;
}
template <class Shape>
void GetSiluTmpSize(const Shape&, const uint32_t, const bool, uint32_t& maxValue,
                    uint32_t& minValue) {
  maxValue = minValue = 0;
}
template <class Shape>
void GetSwishTmpSize(const Shape&, const uint32_t, const bool, uint32_t& maxValue,
                     uint32_t& minValue) {
  maxValue = minValue = 0;
}

}  // namespace AscendC
