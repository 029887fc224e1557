// Scratch sizes of sorting, reductions and the rest, for host programs. Where the documents give no
// number, vinci needs none and answers with the size of the data.
#pragma once

#include <algorithm>

#include "ascendc/tensor_shape.h"
#include "kernel_tiling/topk_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace AscendC {

enum class ReducePattern : uint32_t { AR = 0, RA = 1 };

namespace detail {

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

}  // namespace detail

// ReduceSum and its kin fold rows of more than 64 numbers; ReduceMax and ReduceMin keep a datablock
// or a repeat of each row.
#define VINCI_REDUCE_SIZES(Name, extreme)                                                          \
  template <class Shape>                                                                           \
  void Get##Name##MaxMinTmpSize(const Shape& srcShape, const TensorDataType dataType,              \
                                ReducePattern pattern, bool /*isSrcInnerPad*/, bool isReuseSource, \
                                uint32_t& maxValue, uint32_t& minValue) {                          \
    const auto first = uint32_t(srcShape.GetDim(0)), last = uint32_t(srcShape.GetDim(1));          \
    const uint32_t bytes = detail::bytes_of(dataType), power = detail::power_of_two_in(last);      \
    const bool rows = pattern == ReducePattern::RA;                                                \
    if (extreme) {                                                                                 \
      minValue = rows || last <= 32 / bytes ? 0 : first * (last < 256 / bytes ? 32 : 256);         \
    } else if (isReuseSource || (!rows && last <= 64)) {                                           \
      minValue = 0;                                                                                \
    } else {                                                                                       \
      minValue = rows ? detail::power_of_two_in(first) * ((last + 7) / 8 * 8) * 4                  \
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
inline uint32_t GetSortTmpSize(const platform_ascendc::PlatformAscendC&, const uint32_t elemCount,
                               const uint32_t) {
  return elemCount * 8;
}
inline uint32_t GetConcatTmpSize(const platform_ascendc::PlatformAscendC&, const uint32_t,
                                 const uint32_t) {
  return 0;
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

}  // namespace AscendC
