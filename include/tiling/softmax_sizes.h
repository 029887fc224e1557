// Scratch sizes and tilings of SoftMax and its kin, for host programs. A shape's last axis is a
// row. A tiling is a struct with fields, or a class with set_ functions for them.
#pragma once

#include "tiling/tiling_classes.h"

namespace AscendC {
namespace in_api {

template <class Shape>
uint32_t softmax_columns(const Shape& shape) {
  return uint32_t(shape.GetDim(shape.GetDimNum() - 1));
}
template <class Shape>
uint32_t softmax_rows(const Shape& shape) {
  const uint32_t columns = softmax_columns(shape);
  return columns == 0 ? 0 : uint32_t(shape.GetShapeSize()) / columns;
}

// set_srcM(value) where there is such a function, else srcM = value.
#define VINCI_FIELD(type, name)                                                       \
  template <class Tiling>                                                             \
  auto take_##name(Tiling& to, uint32_t value, int)->decltype(to.set_##name(value)) { \
    return to.set_##name(value);                                                      \
  }                                                                                   \
  template <class Tiling>                                                             \
  void take_##name(Tiling& to, uint32_t value, long) {                                \
    to.name = value;                                                                  \
  }
VINCI_SOFT_MAX_TILING(VINCI_FIELD)
#undef VINCI_FIELD

template <class Tiling>
void take_softmax_tiling(const SoftMaxTiling& from, Tiling& to) {
#define VINCI_FIELD(type, name) take_##name(to, from.name, 0);
  VINCI_SOFT_MAX_TILING(VINCI_FIELD)
#undef VINCI_FIELD
}

template <class Shape, class Tiling>
void tile_softmax(SoftMaxKind kind, const Shape& shape, uint32_t data_bytes, uint32_t column_bytes,
                  uint32_t scratch, bool update, bool basic, Tiling& tiling) {
  const uint32_t columns = softmax_columns(shape), block = 32 / column_bytes;
  take_softmax_tiling(
      softmax_tiling(softmax_rows(shape), columns, block, scratch / 4,
                     softmax_row(kind, columns, block, update, data_bytes == 2), basic),
      tiling);
}
template <class Shape>
uint32_t softmax_scratch(SoftMaxKind kind, const Shape& shape, uint32_t data_bytes,
                         uint32_t column_bytes, bool update, bool all) {
  const uint32_t words =
      softmax_row(kind, softmax_columns(shape), 32 / column_bytes, update, data_bytes == 2);
  return 4 * words * (all ? softmax_rows(shape) : 1);
}

}  // namespace in_api

#define VINCI_EXTREMES(Most)                                                                     \
  template <class Shape>                                                                         \
  uint32_t GetSoftMax##Most##TmpSize(const Shape& srcShape, const uint32_t dataTypeSize,         \
                                     const bool /*isReuseSource*/) {                             \
    return in_api::softmax_scratch(in_api::SoftMaxKind::kPlain, srcShape, dataTypeSize,          \
                                   dataTypeSize, false, VINCI_ALL_##Most);                       \
  }                                                                                              \
  template <class Shape>                                                                         \
  uint32_t GetLogSoftMax##Most##TmpSize(const Shape& srcShape, const uint32_t dataTypeSize,      \
                                        const bool /*isReuseSource*/) {                          \
    return in_api::softmax_scratch(in_api::SoftMaxKind::kPlain, srcShape, dataTypeSize,          \
                                   dataTypeSize, false, VINCI_ALL_##Most);                       \
  }                                                                                              \
  template <class Shape>                                                                         \
  uint32_t GetSoftMaxFlash##Most##TmpSize(const Shape& srcShape, const uint32_t dataTypeSize,    \
                                          const bool isUpdate, const bool /*isReuseSource*/) {   \
    return in_api::softmax_scratch(in_api::SoftMaxKind::kFlash, srcShape, dataTypeSize,          \
                                   dataTypeSize, isUpdate, VINCI_ALL_##Most);                    \
  }                                                                                              \
  template <class Shape>                                                                         \
  uint32_t GetSoftMaxFlashV2##Most##TmpSize(const Shape& srcShape, const uint32_t dataTypeSize1, \
                                            const uint32_t dataTypeSize2, const bool isUpdate,   \
                                            const bool /*isBasicBlock*/ = false,                 \
                                            const bool /*isFlashOutputBrc*/ = false) {           \
    return in_api::softmax_scratch(in_api::SoftMaxKind::kFlashV2, srcShape, dataTypeSize1,       \
                                   dataTypeSize2, isUpdate, VINCI_ALL_##Most);                   \
  }                                                                                              \
  template <class Shape>                                                                         \
  uint32_t GetSoftMaxGrad##Most##TmpSize(const Shape& srcShape, const uint32_t dataTypeSize,     \
                                         const bool isFront, const bool /*isReuseSource*/) {     \
    return in_api::softmax_scratch(                                                              \
        isFront ? in_api::SoftMaxKind::kGradFront : in_api::SoftMaxKind::kGrad, srcShape,        \
        dataTypeSize, dataTypeSize, false, VINCI_ALL_##Most);                                    \
  }
#define VINCI_ALL_Max true
#define VINCI_ALL_Min false
VINCI_EXTREMES(Max)
VINCI_EXTREMES(Min)
#undef VINCI_EXTREMES
#undef VINCI_ALL_Max
#undef VINCI_ALL_Min

template <class Shape, class Tiling>
void SoftMaxTilingFunc(const Shape& srcShape, const uint32_t dataTypeSize,
                       const uint32_t localWorkSpaceSize, Tiling& softmaxTiling) {
  in_api::tile_softmax(in_api::SoftMaxKind::kPlain, srcShape, dataTypeSize, dataTypeSize,
                       localWorkSpaceSize, false, false, softmaxTiling);
}
template <class Shape, class Tiling>
void LogSoftMaxTilingFunc(const Shape& srcShape, const uint32_t dataTypeSize,
                          const uint32_t localWorkSpaceSize, Tiling& softmaxTiling) {
  SoftMaxTilingFunc(srcShape, dataTypeSize, localWorkSpaceSize, softmaxTiling);
}
template <class Shape, class Tiling>
void SoftMaxFlashTilingFunc(const Shape& srcShape, const uint32_t dataTypeSize,
                            const uint32_t localWorkSpaceSize, Tiling& softmaxFlashTiling,
                            const bool isUpdate = false) {
  in_api::tile_softmax(in_api::SoftMaxKind::kFlash, srcShape, dataTypeSize, dataTypeSize,
                       localWorkSpaceSize, isUpdate, false, softmaxFlashTiling);
}
template <class Shape, class Tiling>
void SoftMaxFlashV2TilingFunc(const Shape& srcShape, const uint32_t dataTypeSize1,
                              const uint32_t dataTypeSize2, const uint32_t localWorkSpaceSize,
                              Tiling& softmaxFlashTiling, const bool isUpdate,
                              const bool isBasicBlock = false,
                              const bool /*isFlashOutputBrc*/ = false) {
  in_api::tile_softmax(in_api::SoftMaxKind::kFlashV2, srcShape, dataTypeSize1, dataTypeSize2,
                       localWorkSpaceSize, isUpdate, isBasicBlock, softmaxFlashTiling);
}
template <class Shape>
void GetSoftMaxFlashV3MaxMinTmpSize(const Shape& srcShape, const uint32_t dataTypeSize1,
                                    const uint32_t dataTypeSize2, uint32_t& maxValue,
                                    uint32_t& minValue, const bool isUpdate,
                                    const bool /*isBasicBlock*/ = false) {
  const auto bytes = [&](bool all) {
    return in_api::softmax_scratch(in_api::SoftMaxKind::kFlashV3, srcShape, dataTypeSize1,
                                   dataTypeSize2, isUpdate, all);
  };
  maxValue = bytes(true);
  minValue = bytes(false);
}
template <class Shape, class Tiling>
void SoftMaxFlashV3TilingFunc(const Shape& srcShape, const uint32_t dataTypeSize1,
                              const uint32_t dataTypeSize2, const uint32_t localWorkSpaceSize,
                              Tiling& softmaxFlashV3Tiling, const bool isUpdate,
                              const bool /*isBasicBlock*/ = false) {
  in_api::tile_softmax(in_api::SoftMaxKind::kFlashV3, srcShape, dataTypeSize1, dataTypeSize2,
                       localWorkSpaceSize, isUpdate, false, softmaxFlashV3Tiling);
}
template <class Shape, class Tiling>
void SoftMaxGradTilingFunc(const Shape& srcShape, const uint32_t dataTypeSize,
                           const uint32_t localWorkSpaceSize, Tiling& softmaxGradTiling,
                           const bool isFront = false) {
  in_api::tile_softmax(isFront ? in_api::SoftMaxKind::kGradFront : in_api::SoftMaxKind::kGrad,
                       srcShape, dataTypeSize, dataTypeSize, localWorkSpaceSize, false, false,
                       softmaxGradTiling);
}
// No tail, and rows of 256 bytes to 2047 elements, of 64 elements each.
inline bool IsBasicBlockInSoftMax(const tiling::SoftMaxTiling& tiling,
                                  const uint32_t dataTypeSize = 2) {
  return tiling.tailM == 0 && tiling.srcK >= 256 / dataTypeSize && tiling.srcK < 2048 &&
         tiling.srcK % 64 == 0;
}
inline bool IsBasicBlockInSoftMax(const optiling::SoftMaxTiling& tiling,
                                  const uint32_t dataTypeSize = 2) {
  tiling::SoftMaxTiling plain;
  plain.tailM = tiling.get_tailM();
  plain.srcK = tiling.get_srcK();
  return IsBasicBlockInSoftMax(plain, dataTypeSize);
}

}  // namespace AscendC
