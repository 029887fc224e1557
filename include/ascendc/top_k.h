// Arange, and sorting above the instructions: Sort, Concat, Extract, MrgSort, TopK.
#pragma once

#include "ascendc/function_config.h"
#include "ascendc/elementwise.h"
#include "ascendc/sort.h"
#include "kernel_tiling/topk_tiling.h"

namespace vinci::isa {
extern const Instruction arange, sort, extract, top_k;
}  // namespace vinci::isa

namespace AscendC {

// first, first + diff, first + 2 diff, ...
template <class T>
void Arange(const LocalTensor<T>& dst, const in_api::as_is<T> firstValue,
            const in_api::as_is<T> diffValue, const int32_t count) {
  auto record = in_api::with_scalar(
      in_api::element_record(vinci::isa::arange, uint32_t(count), dst), firstValue);
  record.size[0] = uint32_t(in_api::scalar_bits(diffValue));
  vinci::issue(record);
}
template <class T>
void ArithProgression(const LocalTensor<T>& dst, const in_api::as_is<T> firstValue,
                      const in_api::as_is<T> diffValue, const int32_t count) {
  Arange<T>(dst, firstValue, diffValue, count);
}

// Elements of T that so many sorted records take, or before the record of that number.
template <class T>
uint32_t GetSortLen(const uint32_t elemCount) {
  return elemCount * (vinci::is_split_chip() ? 8 / sizeof(T) : 8);
}
template <class T>
uint32_t GetSortOffset(const uint32_t elemOffset) {
  return GetSortLen<T>(elemOffset);
}

// Scores as Sort takes them: where the chip sorts pairs, they are the scores themselves.
template <class T>
void Concat(LocalTensor<T>& concatLocal, const LocalTensor<T>& srcLocal,
            const LocalTensor<T>& tmpLocal, const int32_t repeatTimes) {
  if (vinci::is_split_chip()) {
    concatLocal = srcLocal;
    return;
  }
  ProposalConcat(tmpLocal, srcLocal, repeatTimes, 4);
  concatLocal = tmpLocal;
}

// 32 scores a repeat, or 16 proposals, each with its index, the largest first: of each repeat, or
// of all.
template <class T, bool isFullSort>
void Sort(const LocalTensor<T>& dst, const LocalTensor<T>& concat,
          const LocalTensor<uint32_t>& index, LocalTensor<T>& tmp, const int32_t repeatTime) {
  auto record = in_api::element_record(vinci::isa::sort, 0, dst, concat, index);
  record.size[0] = uint32_t(repeatTime);
  record.size[1] = !vinci::is_split_chip();
  record.size[2] = isFullSort;
  if (isFullSort) {
    record.tmp = tmp.operand();
    record.tmp_bytes =
        uint64_t(uint32_t(repeatTime)) * GetSortLen<T>(record.size[1] ? 16 : 32) * sizeof(T);
  }
  vinci::issue(record);
}

// Records into scores and indices.
template <class T>
void Extract(const LocalTensor<T>& dstValueLocal, const LocalTensor<uint32_t>& dstIndexLocal,
             const LocalTensor<T>& sortedLocal, const int32_t repeatTime) {
  auto record = in_api::element_record(vinci::isa::extract, 0, dstValueLocal, sortedLocal);
  record.dst[1] = dstIndexLocal.operand();
  record.size[0] = uint32_t(repeatTime);
  record.size[1] = !vinci::is_split_chip();
  vinci::issue(record);
}

// Sorted queues into one; sortedNum: what was taken of each, if the merge stops at an empty queue.
template <class T, bool isExhaustedSuspension = false>
void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& sortList,
             const uint16_t elementCountList[4], uint32_t sortedNum[4], uint16_t validBit,
             const int32_t repeatTime) {
  const MrgSort4Info info(elementCountList, isExhaustedSuspension, validBit, uint16_t(repeatTime));
  if (vinci::is_split_chip()) {
    MrgSort(dst, sortList, info);
  } else {
    MrgSort4(dst, sortList, info);
  }
  if (!isExhaustedSuspension) return;
  for (int i = 0; i < 4; ++i) sortedNum[i] = vinci::merged_count(i);
}

enum class TopKAlgo { RADIX_SELECT, MERGE_SORT };
enum class TopKOrder { UNSET, LARGEST, SMALLEST };
struct TopKConfig {
  TopKAlgo algo = TopKAlgo::MERGE_SORT;
  TopKOrder order = TopKOrder::UNSET;
  bool sorted = true;
};
constexpr TopKConfig defaultTopKConfig{};
struct TopKInfo {
  int32_t outter = 1;
  int32_t inner = 0;
  int32_t n = 0;
};

namespace in_api {

template <class T>
vinci::LibraryRecord top_k_record(const LocalTensor<T>& value, const LocalTensor<int32_t>& index,
                                  const LocalTensor<T>& src, const LocalTensor<int32_t>& src_index,
                                  const LocalTensor<bool>& finish, int32_t k, const TopKInfo& info,
                                  uint32_t flags) {
  auto record = element_record(vinci::isa::top_k, 0, value, src, src_index, finish);
  record.dst[1] = index.operand();
  record.size[0] = uint32_t(info.outter);
  record.size[1] = uint32_t(info.inner);
  record.size[2] = uint32_t(info.n);
  record.size[3] = uint32_t(k);
  record.size[4] = flags;
  return record;
}

}  // namespace in_api

// The k largest or smallest numbers of each row, in order, and where they stood.
template <class T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          TopKMode topkMode = TopKMode::TOPK_NORMAL, const TopKConfig& config = defaultTopKConfig>
void TopK(const LocalTensor<T>& dstValueLocal, const LocalTensor<int32_t>& dstIndexLocal,
          const LocalTensor<T>& srcLocal, const LocalTensor<int32_t>& srcIndexLocal,
          const LocalTensor<bool>& finishLocal, const int32_t k, const TopkTiling&,
          const TopKInfo& topKInfo, const bool isLargest = true) {
  vinci::issue(in_api::top_k_record(
      dstValueLocal, dstIndexLocal, srcLocal, srcIndexLocal, finishLocal, k, topKInfo,
      isInitIndex + 2 * isHasfinish + 4 * (topkMode == TopKMode::TOPK_NSMALL) + 8 * isLargest));
}
template <class T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          TopKMode topkMode = TopKMode::TOPK_NORMAL, const TopKConfig& config = defaultTopKConfig>
void TopK(const LocalTensor<T>& dstValueLocal, const LocalTensor<int32_t>& dstIndexLocal,
          const LocalTensor<T>& srcLocal, const LocalTensor<int32_t>& srcIndexLocal,
          const LocalTensor<bool>& finishLocal, const LocalTensor<uint8_t>& tmpLocal,
          const int32_t k, const TopkTiling&, const TopKInfo& topKInfo,
          const bool isLargest = true) {
  vinci::issue(in_api::with_scratch(
      in_api::top_k_record(
          dstValueLocal, dstIndexLocal, srcLocal, srcIndexLocal, finishLocal, k, topKInfo,
          isInitIndex + 2 * isHasfinish + 4 * (topkMode == TopKMode::TOPK_NSMALL) + 8 * isLargest),
      tmpLocal, 0));
}

}  // namespace AscendC
