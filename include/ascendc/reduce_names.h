// The newer names of the reductions: always mask before repeats, where some of the older have them
// the other way round.
#pragma once

#include "ascendc/reduce.h"

namespace AscendC {

enum class ReduceType : uint8_t { SUM, MAX, MIN };

// Of each repeat: the sum, or the largest or smallest value and its index as `order` says.
template <ReduceType reduceType, class T, class U = T, bool isSetMask = true, class Mask>
void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, const Mask& mask,
                  const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                  const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
  static_assert(std::is_same_v<T, U>, "ReduceRepeat: dst and src have one type");
  if constexpr (reduceType == ReduceType::SUM) {
    WholeReduceSum<T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride,
                                 srcRepStride);
  } else if constexpr (reduceType == ReduceType::MAX) {
    WholeReduceMax<T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride,
                                 srcRepStride, order);
  } else {
    WholeReduceMin<T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride,
                                 srcRepStride, order);
  }
}

// Of each datablock.
template <ReduceType reduceType, class T, class U = T, bool isSetMask = true, class Mask>
void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src, const Mask& mask,
                     const int32_t repeatTime, const int32_t dstRepStride,
                     const int32_t srcBlkStride, const int32_t srcRepStride) {
  static_assert(std::is_same_v<T, U>, "ReduceDataBlock: dst and src have one type");
  if constexpr (reduceType == ReduceType::SUM) {
    BlockReduceSum<T, isSetMask>(dst, src, repeatTime, mask, dstRepStride, srcBlkStride,
                                 srcRepStride);
  } else if constexpr (reduceType == ReduceType::MAX) {
    BlockReduceMax<T, isSetMask>(dst, src, repeatTime, mask, dstRepStride, srcBlkStride,
                                 srcRepStride);
  } else {
    BlockReduceMin<T, isSetMask>(dst, src, repeatTime, mask, dstRepStride, srcBlkStride,
                                 srcRepStride);
  }
}

// Of each pair of neighbours.
template <ReduceType reduceType, class T, class U = T, bool isSetMask = true, class Mask>
void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src, const Mask& mask,
                    const int32_t repeatTime, const int32_t dstRepStride,
                    const int32_t srcBlkStride, const int32_t srcRepStride) {
  static_assert(reduceType == ReduceType::SUM, "ReducePairElem: sums only");
  static_assert(std::is_same_v<T, U>, "ReducePairElem: dst and src have one type");
  PairReduceSum<T, isSetMask>(dst, src, repeatTime, mask, dstRepStride, srcBlkStride, srcRepStride);
}

}  // namespace AscendC
