// Scratch sizes and tilings of LayerNorm and its kin, for host programs. A tiling is a struct, or
// the class with its fields. What the documents leave open is in docs/spec/normalization.md.
#pragma once

#include <cstring>

#include "ascendc/tensor_shape.h"
#include "kernel_tiling/reduce_pattern.h"
#include "tiling/tiling_classes.h"

namespace AscendC {
namespace in_api {

template <class Shape>
uint32_t dim_of(const Shape& shape, size_t index) {
  return uint32_t(shape.GetDim(index));
}
constexpr uint32_t align_up(uint32_t value, uint32_t to) { return (value + to - 1) / to * to; }
inline void norm_sizes(NormScratch need, uint32_t rows, uint32_t columns, uint32_t& most,
                       uint32_t& least) {
  least = need.bytes(1, columns);
  most = need.bytes(rows, columns);
}

// How rows are divided: fields that several tilings have.
template <class Tiling>
void fill_parts(Tiling& tiling, NormScratch need, uint32_t rows, uint32_t columns,
                uint32_t scratch) {
  const uint32_t part = need.rows_in(scratch, rows, columns);
  tiling.inputXSize = rows * columns;
  tiling.meanVarSize = rows;
  tiling.numberOfTmpBuf = need.copies;
  tiling.varianceTmpTensorPos = 0;
  tiling.varianceTmpTensorSize = align_up(part, 8);
  tiling.tmpBufSize = scratch / 4;
  tiling.oneTmpSize = part * columns;
  tiling.firstTmpStartPos = 2 * tiling.varianceTmpTensorSize;
  tiling.secondTmpStartPos = tiling.firstTmpStartPos + tiling.oneTmpSize;
  tiling.thirdTmpStartPos = tiling.secondTmpStartPos + tiling.oneTmpSize;
  tiling.loopRound = rows / part;
  tiling.inputRoundSize = part * columns;
  tiling.inputTailSize = rows % part * columns;
  tiling.inputTailPos = tiling.inputXSize - tiling.inputTailSize;
  tiling.meanVarRoundSize = part;
  tiling.meanVarTailSize = rows % part;
  tiling.meanVarTailPos = rows - tiling.meanVarTailSize;
}
// B * S rows of H, of which originalH count.
template <class Tiling>
void fill_shape(Tiling& tiling, uint32_t b, uint32_t s, uint32_t h, uint32_t original) {
  tiling.bLength = b;
  tiling.sLength = s;
  tiling.hLength = h;
  tiling.originalHLength = original;
}
template <class Tiling>
Tiling norm_tiling(NormScratch need, uint32_t b, uint32_t s, uint32_t h, uint32_t original,
                   uint32_t scratch) {
  Tiling tiling;
  fill_shape(tiling, b, s, h, original);
  fill_parts(tiling, need, b * s, h, scratch);
  tiling.meanTmpTensorPos = tiling.varianceTmpTensorSize;
  tiling.meanTmpTensorSize = tiling.varianceTmpTensorSize;
  tiling.bsCurLength = tiling.meanVarRoundSize;
  tiling.bshCurLength = tiling.inputRoundSize;
  tiling.lastDimValueBack = 1.0f / float(original);
  return tiling;
}
template <class Shape>
uint32_t rows_of(const Shape& shape) {
  return dim_of(shape, 0) * dim_of(shape, 1);
}
inline bool is_basic_block(uint32_t rows, uint32_t columns, uint32_t most) {
  return rows % 8 == 0 && columns % 64 == 0 && columns <= most;
}

}  // namespace in_api

// LayerNorm. srcShape: B, S, H, originalH; with isComputeRstd A, R.
template <class Shape>
void GetLayerNormMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize,
                               const bool /*isReuseSource*/, uint32_t& maxValue,
                               uint32_t& minValue) {
  in_api::norm_sizes(in_api::norm_scratch(typeSize == 2), in_api::rows_of(srcShape),
                     in_api::dim_of(srcShape, 2), maxValue, minValue);
}
template <class Shape>
void GetLayerNormMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize,
                               const bool /*isReuseSource*/, const bool /*isComputeRstd*/,
                               const bool /*isOnlyOutput*/, uint32_t& maxValue,
                               uint32_t& minValue) {
  in_api::norm_sizes(in_api::norm_scratch(typeSize == 2), in_api::dim_of(srcShape, 0),
                     in_api::align_up(in_api::dim_of(srcShape, 1), 32 / typeSize), maxValue,
                     minValue);
}
template <class Shape, class Tiling>
void GetLayerNormNDTilingInfo(const Shape& srcShape, const uint32_t stackBufferSize,
                              const uint32_t typeSize, const bool /*isReuseSource*/,
                              Tiling& tiling) {
  in_api::take_tiling(in_api::norm_tiling<tiling::LayerNormTiling>(
                          in_api::norm_scratch(typeSize == 2), in_api::dim_of(srcShape, 0),
                          in_api::dim_of(srcShape, 1), in_api::dim_of(srcShape, 2),
                          in_api::dim_of(srcShape, 3), stackBufferSize),
                      tiling);
}
// The older name.
template <class Shape, class Tiling>
void GetLayerNormNDTillingInfo(const Shape& srcShape, const uint32_t stackBufferSize,
                               const uint32_t typeSize, const bool isReuseSource, Tiling& tilling) {
  GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, tilling);
}
template <class Shape, class Tiling>
void GetLayerNormNDTilingInfo(const Shape& srcShape, const uint32_t stackBufferSize,
                              const uint32_t typeSize, const bool /*isReuseSource*/,
                              const bool /*isComputeRstd*/, Tiling& tiling) {
  const uint32_t rows = in_api::dim_of(srcShape, 0), r = in_api::dim_of(srcShape, 1);
  const uint32_t columns = in_api::align_up(r, 32 / typeSize);
  tiling::LayerNormSeparateTiling made;
  made.aLength = rows;
  made.rLength = r;
  in_api::fill_parts(made, in_api::norm_scratch(typeSize == 2), rows, columns, stackBufferSize);
  // A row is folded onto a power of two.
  uint32_t head = 1;
  while (head * 2 <= r) head *= 2;
  made.rHeadLength = head;
  for (uint32_t rest = head; rest > 64; rest /= 2) ++made.halfAddRepeatTimes;
  made.k2Rec = 1.0f / float(head);
  made.k2RRec = float(head) / float(r);
  made.aCurLength = made.meanVarRoundSize;
  made.arCurLength = made.inputRoundSize;
  made.rValueBack = 1.0f / float(r);
  in_api::take_tiling(made, tiling);
}
template <class Shape>
void GetNormalizeMaxMinTmpSize(const Shape& srcShape, const uint32_t /*typeSizeU*/,
                               const uint32_t typeSizeT, const bool /*isReuseSource*/,
                               const bool /*isComputeRstd*/, const bool /*isOnlyOutput*/,
                               uint32_t& maxValue, uint32_t& minValue) {
  in_api::norm_sizes(in_api::normalize_scratch(typeSizeT == 2), in_api::dim_of(srcShape, 0),
                     in_api::align_up(in_api::dim_of(srcShape, 1), 32 / typeSizeT), maxValue,
                     minValue);
}

// RmsNorm: false if the shape is no basic block, or scratch memory holds no row.
template <class Shape>
bool GetRmsNormMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                             uint32_t& minValue, const bool isBasicBlock = false) {
  const uint32_t rows = in_api::rows_of(srcShape), columns = in_api::dim_of(srcShape, 2);
  if (isBasicBlock && !in_api::is_basic_block(rows, columns, 2047)) return false;
  in_api::norm_sizes(in_api::rms_norm_scratch(typeSize == 2), rows, columns, maxValue, minValue);
  return true;
}
template <class Shape, class Original, class Tiling>
bool GetRmsNormTilingInfo(const Shape& srcShape, const Original& originSrcShape,
                          const uint32_t stackBufferByteSize, const uint32_t typeSize,
                          Tiling& tiling, const bool isBasicBlock = false) {
  uint32_t most = 0, least = 0;
  if (!GetRmsNormMaxMinTmpSize(srcShape, typeSize, most, least, isBasicBlock)) return false;
  if (stackBufferByteSize < least) return false;
  const uint32_t rows = in_api::rows_of(srcShape), columns = in_api::dim_of(srcShape, 2);
  uint32_t part =
      in_api::rms_norm_scratch(typeSize == 2).rows_in(stackBufferByteSize, rows, columns);
  if (isBasicBlock) part = part < 8 ? 1 : part / 8 * 8;
  if (!isBasicBlock && part > 255) part = 255;
  tiling::RmsNormTiling made;
  in_api::fill_shape(made, in_api::dim_of(srcShape, 0), in_api::dim_of(srcShape, 1), columns,
                     in_api::dim_of(originSrcShape, 2));
  made.reciprocalOfHLength = 1.0f / float(made.originalHLength);
  made.mainBshLength = part * columns;
  made.mainBsLength = part;
  made.mainBsLengthAlign = in_api::align_up(part, 8);
  made.loopRound = rows / part;
  made.tailBsLength = rows % part;
  made.tailBshLength = made.tailBsLength * columns;
  made.inputTailPos = rows * columns - made.tailBshLength;
  in_api::take_tiling(made, tiling);
  return true;
}

// DeepNorm: as LayerNorm; false if the shape is none that it takes.
template <class Shape>
bool GetDeepNormMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize,
                              const bool /*isReuseSource*/, const bool isBasicBlock,
                              uint32_t& maxValue, uint32_t& minValue) {
  const uint32_t rows = in_api::rows_of(srcShape), columns = in_api::dim_of(srcShape, 2);
  if (columns > 2040 || (isBasicBlock && !in_api::is_basic_block(rows, columns, 2040))) {
    return false;
  }
  in_api::norm_sizes(in_api::norm_scratch(typeSize == 2), rows, columns, maxValue, minValue);
  return true;
}
template <class Shape, class Original, class Tiling>
bool GetDeepNormTilingInfo(const Shape& srcShape, const Original& originSrcShape,
                           const uint32_t stackBufferSize, const uint32_t typeSize,
                           const bool isReuseSource, const bool isBasicBlock, Tiling& tiling) {
  uint32_t most = 0, least = 0;
  if (!GetDeepNormMaxMinTmpSize(srcShape, typeSize, isReuseSource, isBasicBlock, most, least) ||
      stackBufferSize < least) {
    return false;
  }
  in_api::take_tiling(in_api::norm_tiling<tiling::DeepNormTiling>(
                          in_api::norm_scratch(typeSize == 2), in_api::dim_of(srcShape, 0),
                          in_api::dim_of(srcShape, 1), in_api::dim_of(srcShape, 2),
                          in_api::dim_of(originSrcShape, 2), stackBufferSize),
                      tiling);
  return true;
}

// BatchNorm: B rows of S * H.
template <class Shape, class Original>
bool GetBatchNormMaxMinTmpSize(const Shape& srcShape, const Original& originSrcShape,
                               const uint32_t typeSize, const bool /*isReuseSource*/,
                               uint32_t& maxValue, uint32_t& minValue,
                               const bool isBasicBlock = false) {
  const uint32_t rows = in_api::dim_of(originSrcShape, 0);
  const uint32_t columns = in_api::dim_of(srcShape, 1) * in_api::dim_of(srcShape, 2);
  if (columns % (32 / typeSize) != 0) return false;
  if (isBasicBlock && !in_api::is_basic_block(rows, columns, 2047)) return false;
  in_api::norm_sizes(in_api::norm_scratch(typeSize == 2), rows, columns, maxValue, minValue);
  return true;
}
template <class Shape, class Original, class Tiling>
bool GetBatchNormNDTilingInfo(const Shape& srcShape, const Original& originSrcShape,
                              const uint32_t stackBufferByteSize, const uint32_t typeSize,
                              const bool isReuseSource, Tiling& tilling,
                              const bool isBasicBlock = false) {
  uint32_t most = 0, least = 0;
  if (!GetBatchNormMaxMinTmpSize(srcShape, originSrcShape, typeSize, isReuseSource, most, least,
                                 isBasicBlock) ||
      stackBufferByteSize < least) {
    return false;
  }
  const uint32_t rows = in_api::dim_of(originSrcShape, 0);
  const uint32_t columns = in_api::dim_of(srcShape, 1) * in_api::dim_of(srcShape, 2);
  tiling::BatchNormTiling made;
  made.originalBLength = rows;
  made.meanVarSize = made.shCurLength = columns;
  made.varianceTmpTensorPos = columns;
  made.tmpBufSize = stackBufferByteSize / 4;
  made.oneTmpSize = made.bshCurLength = rows * columns;
  made.firstTmpStartPos = 2 * columns;
  made.secondTmpStartPos = made.firstTmpStartPos + made.oneTmpSize;
  made.thirdTmpStartPos = made.secondTmpStartPos + made.oneTmpSize;
  made.loopRound = 1;
  made.inputTailPos = made.meanVarTailPos = columns;
  made.firstDimValueBack = 1.0f / float(rows);
  made.shCurLengthBlockNum = columns / 8;
  made.castHalfRepStride = made.castHalfOutRepStride = columns / 16;
  in_api::take_tiling(made, tilling);
  return true;
}

// GroupNorm. srcShape: N, C, H, W.
template <class Shape>
void GetGroupNormMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize,
                               const bool /*isReuseSource*/, const uint32_t groupNum,
                               uint32_t& maxValue, uint32_t& minValue) {
  const uint32_t plane =
      in_api::align_up(in_api::dim_of(srcShape, 2) * in_api::dim_of(srcShape, 3), 32 / typeSize);
  const uint32_t channels = groupNum == 0 ? 0 : in_api::dim_of(srcShape, 1) / groupNum;
  in_api::norm_sizes(in_api::norm_scratch(typeSize == 2), in_api::dim_of(srcShape, 0) * groupNum,
                     channels * plane, maxValue, minValue);
}
template <class Shape, class Tiling>
void GetGroupNormNDTilingInfo(const Shape& srcShape, const uint32_t stackBufferSize,
                              const uint32_t typeSize, const bool /*isReuseSource*/,
                              const uint32_t groupNum, Tiling& tiling) {
  tiling::GroupNormTiling made;
  made.n = in_api::dim_of(srcShape, 0);
  made.c = in_api::dim_of(srcShape, 1);
  made.hw = in_api::dim_of(srcShape, 2) * in_api::dim_of(srcShape, 3);
  made.g = groupNum;
  made.d = groupNum == 0 ? 0 : made.c / groupNum;
  made.hwAlignSize = in_api::align_up(made.hw, 32 / typeSize);
  made.dhwAlignSize = made.d * made.hwAlignSize;
  in_api::fill_parts(made, in_api::norm_scratch(typeSize == 2), made.n * made.g, made.dhwAlignSize,
                     stackBufferSize);
  made.meanTmpTensorPos = made.meanTmpTensorSize = made.varianceTmpTensorSize;
  made.bsCurLength = made.meanVarRoundSize;
  made.bshCurLength = made.inputRoundSize;
  made.factor = 1.0f / float(made.d * made.hw);
  made.smallShape = made.loopRound == 1 && made.inputTailSize == 0;
  in_api::take_tiling(made, tiling);
}

// LayerNormGrad and LayerNormGradBeta. srcShape: B, S, H, originalH.
template <class Shape>
void GetLayerNormGradMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize,
                                   const bool /*isReuseSource*/, uint32_t& maxValue,
                                   uint32_t& minValue) {
  in_api::norm_sizes(in_api::norm_grad_scratch(typeSize == 2), in_api::rows_of(srcShape),
                     in_api::dim_of(srcShape, 2), maxValue, minValue);
}
template <class Shape, class Tiling>
void GetLayerNormGradNDTilingInfo(const Shape srcShape, const uint32_t stackBufferSize,
                                  const uint32_t typeSize, const bool /*isReuseSource*/,
                                  Tiling& tiling) {
  tiling::LayerNormGradTiling made;
  const uint32_t rows = in_api::rows_of(srcShape), columns = in_api::dim_of(srcShape, 2);
  in_api::fill_shape(made, in_api::dim_of(srcShape, 0), in_api::dim_of(srcShape, 1), columns,
                     in_api::dim_of(srcShape, 3));
  const auto need = in_api::norm_grad_scratch(typeSize == 2);
  const uint32_t part = need.rows_in(stackBufferSize, rows, columns);
  made.stackBufferSize = stackBufferSize;
  made.oneCalSize = part * columns;
  made.nohCalSize = part;
  made.loopNum = rows / part;
  made.nohTailSize = rows % part;
  made.tailSize = made.nohTailSize * columns;
  uint32_t next = 0;
  const auto room = [&next](uint32_t& position, uint32_t& size, uint32_t numbers) {
    position = next;
    size = numbers;
    next += numbers;
  };
  room(made.pdVarTensorPos, made.pdVarTensorSize, in_api::align_up(part, 8));
  room(made.pdMeanTensorPos, made.pdMeanTensorSize, in_api::align_up(part, 8));
  room(made.tmpTensorBSHPos, made.tmpTensorBSHSize, made.oneCalSize);
  room(made.x1TensorPos, made.x1TensorSize, made.oneCalSize);
  room(made.x2TensorPos, made.x2TensorSize, made.oneCalSize);
  room(made.tmpTensorPos, made.tmpTensorSize, made.oneCalSize);
  if (typeSize == 2) {
    room(made.x3TensorPos, made.x3TensorSize, made.oneCalSize);
    room(made.tmpTensor1Pos, made.tmpTensor1Size, made.oneCalSize);
  }
  const float back = 1.0f / float(made.originalHLength), twice = 2.0f * back;
  std::memcpy(&made.lastDimValueBack, &back, sizeof(back));
  std::memcpy(&made.lastDimValueBackMulTwo, &twice, sizeof(twice));
  in_api::take_tiling(made, tiling);
}
template <class Shape>
void GetLayerNormGradBetaMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize,
                                       const bool /*isReuseSource*/, uint32_t& maxValue,
                                       uint32_t& minValue) {
  in_api::norm_sizes(in_api::norm_grad_beta_scratch(typeSize == 2), in_api::rows_of(srcShape),
                     in_api::dim_of(srcShape, 2), maxValue, minValue);
}
template <class Shape, class Tiling>
void GetLayerNormGradBetaNDTilingInfo(const Shape srcShape, const uint32_t stackBufferSize,
                                      const uint32_t typeSize, const bool /*isReuseSource*/,
                                      Tiling& tiling) {
  tiling::LayerNormGradBetaTiling made;
  const uint32_t rows = in_api::rows_of(srcShape), columns = in_api::dim_of(srcShape, 2);
  in_api::fill_shape(made, in_api::dim_of(srcShape, 0), in_api::dim_of(srcShape, 1), columns,
                     in_api::dim_of(srcShape, 3));
  const auto need = in_api::norm_grad_beta_scratch(typeSize == 2);
  const uint32_t part = need.rows_in(stackBufferSize, rows, columns);
  made.stackBufferSize = stackBufferSize;
  made.bshLength = rows * columns;
  made.bsLength = rows;
  made.oneCalSize = made.bshCurLength = part * columns;
  made.bsCurLength = part;
  made.numberOfTmpBuf = need.copies;
  made.loopRound = rows / part;
  made.bsTailSize = rows % part;
  made.inputTailSize = made.bsTailSize * columns;
  made.inputTailPos = made.bshLength - made.inputTailSize;
  made.betaTempTensorPos = made.oneCalSize;
  made.inputDyTmpTensorPos = 2 * made.oneCalSize;
  made.resForGammaTmpTensorPos = 3 * made.oneCalSize;
  in_api::take_tiling(made, tiling);
}

// Welford. srcShape: rnLength, abLength; of WelfordFinalize abLength.
template <class Shape>
void GetWelfordUpdateMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSizeT,
                                   const uint32_t /*typeSizeU*/, const bool /*isReuseSource*/,
                                   const bool /*isInplace*/, uint32_t& maxValue,
                                   uint32_t& minValue) {
  minValue = in_api::welford_update_scratch(typeSizeT == 2);
  const auto repeats = uint32_t((srcShape.GetShapeSize() + 63) / 64);
  maxValue = minValue * (repeats == 0 ? 1 : repeats);
}
template <class Shape>
void GetWelfordFinalizeMaxMinTmpSize(const Shape& srcShape, const uint32_t /*typeSize*/,
                                     const bool /*isReuseSource*/, uint32_t& maxValue,
                                     uint32_t& minValue) {
  maxValue = minValue = in_api::welford_finalize_scratch(uint32_t(srcShape.GetShapeSize()));
}

}  // namespace AscendC
