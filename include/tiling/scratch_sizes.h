// What host programs ask for the scratch memory of functions that work element by element.
// `srcShape` has GetShapeSize(): a TensorShape, a ge::Shape.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "ascendc/function_config.h"
#include "ascendc/scratch.h"
#include "tiling/platform/platform_ascendc.h"

// GetXTmpBufferFactorSize: the most elements of one step are
//   (bytes to spare - extraBuffer) / maxLiveNodeCount / typeSize
// Of the functions that say how much Exp's alone has a result.
#define VINCI_SCRATCH_SIZES(Name, halves, floats, more)                                           \
  namespace AscendC {                                                                             \
  template <class Shape>                                                                          \
  auto Get##Name##MaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize,                   \
                                const bool /*isReuseSource*/, uint32_t& maxValue,                 \
                                uint32_t& minValue) {                                             \
    const in_api::Scratch scratch = in_api::scratch_of_##Name(typeSize);                          \
    minValue = uint32_t(scratch.least());                                                         \
    maxValue = uint32_t(scratch.most(uint64_t(srcShape.GetShapeSize()) * typeSize));              \
    if constexpr (std::string_view(#Name) == "Exp") return true;                                  \
  }                                                                                               \
  inline void Get##Name##TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, \
                                             uint32_t& extraBuffer) {                             \
    const in_api::Scratch scratch = in_api::scratch_of_##Name(typeSize);                          \
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
#define VINCI_CONFIGURED(Name)                                                                     \
  template <class Shape>                                                                           \
  void Get##Name##MaxMinTmpSize(const Name##Config&, const Shape& srcShape,                        \
                                const uint32_t typeSize, const bool isReuseSource,                 \
                                uint32_t& maxValue, uint32_t& minValue) {                          \
    Get##Name##MaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);               \
  }                                                                                                \
  inline void Get##Name##TmpBufferFactorSize(const Name##Config&, const uint32_t typeSize,         \
                                             uint32_t& maxLiveNodeCount, uint32_t& extraBuffer) {  \
    Get##Name##TmpBufferFactorSize(typeSize, maxLiveNodeCount, extraBuffer);                       \
  }
VINCI_CONFIGURED(Sin)
VINCI_CONFIGURED(Cos)
#undef VINCI_CONFIGURED

// Round asks for the chip: halves take twice as much on the 310P.
inline void GetRoundTmpBufferFactorSize(const platform_ascendc::PlatformAscendC& ascendcPlatform,
                                        const uint32_t typeSize, uint32_t& maxLiveNodeCount,
                                        uint32_t& extraBuffer) {
  GetRoundTmpBufferFactorSize(typeSize, maxLiveNodeCount, extraBuffer);
  const bool is_310p =
      ascendcPlatform.GetSocVersion() == platform_ascendc::SocVersion::ASCEND310P;
  if (is_310p && typeSize == 2) maxLiveNodeCount *= 2;
}
template <class Shape>
void GetRoundMaxMinTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform,
                           const Shape& srcShape, const uint32_t typeSize, const bool,
                           uint32_t& maxValue, uint32_t& minValue) {
  in_api::Scratch scratch = in_api::scratch_of_Round(typeSize);
  GetRoundTmpBufferFactorSize(ascendcPlatform, typeSize, scratch.factor, scratch.extra);
  minValue = uint32_t(scratch.least());
  maxValue = uint32_t(scratch.most(uint64_t(srcShape.GetShapeSize()) * typeSize));
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
