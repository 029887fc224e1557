// Scratch sizes of sorting, reductions and the rest, for host programs. Where the documents give no
// number, vinci needs none and answers with the size of the data.
#pragma once

#include <algorithm>

#include "ascendc/function_config.h"
#include "ascendc/tensor_shape.h"
#include "kernel_tiling/reduce_pattern.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_classes.h"

namespace AscendC {

namespace in_api {

inline uint32_t bytes_of(TensorDataType type) {
  switch (type) {
    case TensorDataType::DT_INT8:
    case TensorDataType::DT_UINT8:
    case TensorDataType::DT_BOOL: return 1;
    case TensorDataType::DT_FLOAT16:
    case TensorDataType::DT_BF16:
    case TensorDataType::DT_INT16:
    case TensorDataType::DT_UINT16: return 2;
    case TensorDataType::DT_INT64:
    case TensorDataType::DT_UINT64:
    case TensorDataType::DT_DOUBLE: return 8;
    default: return 4;
  }
}
constexpr uint32_t power_of_two_in(uint32_t n) {
  uint32_t power = 1;
  while (power * 2 <= n) power *= 2;
  return power;
}

}  // namespace in_api

// ReduceSum and its kin fold rows of more than 64 numbers; ReduceMax and ReduceMin keep a datablock
// or a repeat of each row.
#define VINCI_REDUCE_SIZES(Name, extreme)                                                          \
  template <class Shape>                                                                           \
  void Get##Name##MaxMinTmpSize(const Shape& srcShape, const TensorDataType dataType,              \
                                ReducePattern pattern, bool /*isSrcInnerPad*/, bool isReuseSource, \
                                uint32_t& maxValue, uint32_t& minValue) {                          \
    const auto first = uint32_t(srcShape.GetDim(0)), last = uint32_t(srcShape.GetDim(1));          \
    const uint32_t bytes = in_api::bytes_of(dataType), power = in_api::power_of_two_in(last);      \
    const bool rows = pattern == ReducePattern::RA;                                                \
    if (extreme) {                                                                                 \
      minValue = rows || last <= 32 / bytes ? 0 : first * (last < 256 / bytes ? 32 : 256);         \
    } else if (isReuseSource || (!rows && last <= 64)) {                                           \
      minValue = 0;                                                                                \
    } else {                                                                                       \
      minValue = rows ? in_api::power_of_two_in(first) * ((last + 7) / 8 * 8) * 4                  \
                      : first * (power == last ? power / 2 : power) * 4;                           \
    }                                                                                              \
    maxValue = minValue;                                                                           \
  }
VINCI_REDUCE_SIZES(ReduceSum, false)
VINCI_REDUCE_SIZES(ReduceMean, false)
VINCI_REDUCE_SIZES(ReduceProd, false)
VINCI_REDUCE_SIZES(ReduceMax, true)
VINCI_REDUCE_SIZES(ReduceMin, true)
#undef VINCI_REDUCE_SIZES

inline void GetSumMaxMinTmpSize(const uint32_t n, const uint32_t typeSize, const bool,
                                uint32_t& maxSize, uint32_t& minSize) {
  const uint32_t lanes = 256 / typeSize, block = 32 / typeSize;
  const uint32_t repeats = (n + lanes - 1) / lanes;
  maxSize = minSize = (repeats + block - 1) / block * 32;
}
inline void GetMeanMaxMinTmpSize(const uint32_t n, const uint32_t, const uint32_t accTypeSize,
                                 const bool isReuseSource, uint32_t& maxSize, uint32_t& minSize) {
  GetSumMaxMinTmpSize(n, accTypeSize, isReuseSource, maxSize, minSize);
}

// Sort keeps a copy of the records, Concat the proposals of chips that sort these.
namespace in_api {
inline bool sorts_proposals(const platform_ascendc::PlatformAscendC& platform) {
  return platform.GetSocVersion() == platform_ascendc::SocVersion::ASCEND310P;
}
}  // namespace in_api
inline uint32_t GetSortTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform,
                               const uint32_t elemCount, const uint32_t dataTypeSize) {
  return elemCount * 8 * (in_api::sorts_proposals(ascendcPlatform) ? dataTypeSize : 1);
}
inline uint32_t GetConcatTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform,
                                 const uint32_t elemCount, const uint32_t dataTypeSize) {
  return in_api::sorts_proposals(ascendcPlatform) ? elemCount * 8 * dataTypeSize : 0;
}

// A Sort with this configuration is on no chip that vinci has. Kernels for several chips ask all
// the same, and give the room to the Sort without: this is what that one takes.
template <class Shape>
void GetSortMaxMinTmpSize(const Shape& srcShape, TensorDataType valueType,
                          TensorDataType /*indexType*/, bool /*isReuseSource*/,
                          const SortConfig& /*config*/, uint32_t& maxValue, uint32_t& minValue) {
  const auto count = uint32_t(srcShape.GetShapeSize());
  maxValue = minValue = GetSortTmpSize(*platform_ascendc::PlatformAscendCManager::GetInstance(),
                                       count, in_api::bytes_of(valueType));
}

// TopK.
bool GetTopKMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const int32_t inner,
                          const int32_t outter, const bool, const bool, TopKMode, const bool,
                          const uint32_t dataTypeSize, uint32_t& maxValue, uint32_t& minValue) {
  maxValue = minValue = uint32_t(in_api::top_k_scratch(inner, outter, dataTypeSize));
  return true;
}
template <class Tiling>
bool TopKTilingFunc(const platform_ascendc::PlatformAscendC&, const int32_t inner,
                    const int32_t outter, const int32_t /*k*/, const uint32_t dataTypeSize,
                    const bool, TopKMode, const bool, Tiling& tiling) {
  tiling::TopkTiling made;
  made.tmpLocalSize = int32_t(in_api::top_k_scratch(inner, outter, dataTypeSize));
  made.allDataSize = inner * outter;
  made.innerDataSize = inner;
  in_api::take_tiling(made, tiling);
  return true;
}

// Arange needs none.
inline void GetArangeMaxMinTmpSize(uint32_t& maxValue, uint32_t& minValue) {
  maxValue = minValue = 0;
}
inline void GetArithProgressionMaxMinTmpSize(uint32_t& maxValue, uint32_t& minValue) {
  GetArangeMaxMinTmpSize(maxValue, minValue);
}

template <class Shape>
void GetCumSumMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize, const bool, const bool,
                            uint32_t& maxValue, uint32_t& minValue) {
  minValue = 16 * uint32_t(srcShape.GetDim(srcShape.GetDimNum() - 1)) * typeSize;
  maxValue = std::max(minValue, uint32_t(srcShape.GetShapeSize()) * typeSize);
}
template <class Shape>
void GetBroadCastMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const Shape&,
                               const Shape& dstShape, const uint32_t typeSize, const bool,
                               uint32_t& maxValue, uint32_t& minValue) {
  maxValue = minValue = uint32_t(dstShape.GetShapeSize()) * typeSize;
}
template <class Shape>
void GetAscendDequantMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize,
                                   uint32_t& maxValue, uint32_t& minValue) {
  maxValue = minValue = uint32_t(srcShape.GetShapeSize()) * typeSize;
}
template <class Shape>
void GetAscendQuantMaxMinTmpSize(const Shape& srcShape, const uint32_t, uint32_t& maxValue,
                                 uint32_t& minValue) {
  minValue = 512;
  maxValue = (std::max<uint32_t>(2 * uint32_t(srcShape.GetShapeSize()), 512) + 31) / 32 * 32;
}
inline void GetAscendQuantTmpBufferFactorSize(const uint32_t, uint32_t& maxLiveNodeCount,
                                              uint32_t& extraBuffer) {
  maxLiveNodeCount = 2;
  extraBuffer = 0;
}

#define VINCI_TRUTH_SIZES(Name)                                                                   \
  template <class Shape>                                                                          \
  void Get##Name##MaxMinTmpSize(const Shape& srcShape, const TensorDataType dataType,             \
                                ReducePattern /*pattern*/, bool /*isSrcInnerPad*/,                \
                                bool /*isReuseSource*/, uint32_t& maxValue, uint32_t& minValue) { \
    maxValue = minValue = uint32_t(srcShape.GetShapeSize()) * in_api::bytes_of(dataType);         \
  }
VINCI_TRUTH_SIZES(ReduceAny)
VINCI_TRUTH_SIZES(ReduceAll)
#undef VINCI_TRUTH_SIZES
template <class Shape>
void GetReduceXorSumMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize, const bool,
                                  uint32_t& maxValue, uint32_t& minValue) {
  maxValue = minValue = uint32_t(srcShape.GetShapeSize()) * typeSize;
}
inline void GetMeanTmpBufferFactorSize(const uint32_t, uint32_t& maxLiveNodeCount,
                                       uint32_t& extraBuffer) {
  maxLiveNodeCount = 1;
  extraBuffer = 0;
}
template <class Shape>
void GetAscendDequantTmpBufferFactorSize(const Shape&, uint32_t& maxLiveNodeCount,
                                         uint32_t& extraBuf) {
  maxLiveNodeCount = 1;
  extraBuf = 0;
}
inline void GetAscendQuantTmpBufferFactorSize(uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
  GetAscendQuantTmpBufferFactorSize(0, maxLiveNodeCount, extraBuf);
}

// AscendAntiQuant.
template <class Shape, class Scale>
uint32_t GetAscendAntiQuantMaxTmpSize(const Shape& srcShape, const Scale&, bool /*isTranspose*/,
                                      TensorDataType, TensorDataType outputDataType) {
  return uint32_t(srcShape.GetShapeSize()) * in_api::bytes_of(outputDataType);
}
template <class Shape, class Scale>
uint32_t GetAscendAntiQuantMinTmpSize(const Shape& srcShape, const Scale& scaleShape,
                                      bool isTranspose, TensorDataType inputDataType,
                                      TensorDataType outputDataType) {
  return GetAscendAntiQuantMaxTmpSize(srcShape, scaleShape, isTranspose, inputDataType,
                                      outputDataType);
}
template <class Shape, class Scale>
void GetAscendAntiQuantMaxMinTmpSize(const Shape& srcShape, const Scale& scaleShape,
                                     bool isTranspose, TensorDataType inputDataType,
                                     TensorDataType outputDataType, uint32_t& maxValue,
                                     uint32_t& minValue) {
  maxValue = minValue = GetAscendAntiQuantMaxTmpSize(srcShape, scaleShape, isTranspose,
                                                     inputDataType, outputDataType);
}
template <class Shape, class Scale>
void GetAscendAntiQuantTmpBufferFactorSize(const Shape&, const Scale&, bool /*isTranspose*/,
                                           TensorDataType, TensorDataType,
                                           uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
  maxLiveNodeCount = 1;
  extraBuf = 0;
}

// DropOut and Select.
template <class Shape>
uint32_t GetDropOutMaxTmpSize(const Shape& srcShape, const uint32_t typeSize, const bool) {
  return uint32_t(srcShape.GetShapeSize()) * typeSize;
}
template <class Shape>
uint32_t GetDropOutMinTmpSize(const Shape& srcShape, const uint32_t typeSize, const bool) {
  return std::min<uint32_t>(uint32_t(srcShape.GetShapeSize()) * typeSize, 256);
}
template <class Shape>
void GetDropOutMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize,
                             const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) {
  maxValue = GetDropOutMaxTmpSize(srcShape, typeSize, isReuseSource);
  minValue = GetDropOutMinTmpSize(srcShape, typeSize, isReuseSource);
}
#define VINCI_SELECT_SIZES(Name)                                                                  \
  template <class A, class B, class Mask>                                                         \
  uint32_t Get##Name##MaxTmpSize(const A& src0Shape, const B& src1Shape,                          \
                                 const uint32_t srcTypeSize, const Mask&, const uint32_t,         \
                                 const bool) {                                                    \
    return uint32_t(std::max(src0Shape.GetShapeSize(), src1Shape.GetShapeSize())) * srcTypeSize;  \
  }                                                                                               \
  template <class A, class B, class Mask>                                                         \
  uint32_t Get##Name##MinTmpSize(const A& src0Shape, const B& src1Shape,                          \
                                 const uint32_t srcTypeSize, const Mask& maskShape,               \
                                 const uint32_t maskTypeSize, const bool isReuseMask) {           \
    return std::min<uint32_t>(Get##Name##MaxTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, \
                                                    maskTypeSize, isReuseMask),                   \
                              1024);                                                              \
  }                                                                                               \
  template <class A, class B, class Mask>                                                         \
  void Get##Name##MaxMinTmpSize(const A& src0Shape, const B& src1Shape,                           \
                                const uint32_t srcTypeSize, const Mask& maskShape,                \
                                const uint32_t maskTypeSize, const bool isReuseMask,              \
                                uint32_t& maxValue, uint32_t& minValue) {                         \
    maxValue = Get##Name##MaxTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize,  \
                                     isReuseMask);                                                \
    minValue = Get##Name##MinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize,  \
                                     isReuseMask);                                                \
  }
VINCI_SELECT_SIZES(Select)
VINCI_SELECT_SIZES(SelectWithBytesMask)
#undef VINCI_SELECT_SIZES

}  // namespace AscendC
