// Reductions: sums, largest and smallest values of repeats, of datablocks, of neighbours, of all.
#pragma once

#include <cstring>
#include <type_traits>

#include "ascendc/vector.h"

namespace vinci::isa {
extern const Instruction block_reduce_max, block_reduce_min, block_reduce_sum;
extern const Instruction pair_reduce_sum, repeat_reduce_sum;
extern const Instruction whole_reduce_max, whole_reduce_min, whole_reduce_sum;
extern const Instruction reduce_max, reduce_min, reduce_sum, sum_in_register;
}  // namespace vinci::isa

namespace AscendC {

// What WholeReduceMax and WholeReduceMin leave of each repeat.
enum class ReduceOrder : uint8_t {
  ORDER_VALUE_INDEX = uint8_t(vinci::ReduceOrder::kValueIndex),
  ORDER_INDEX_VALUE = uint8_t(vinci::ReduceOrder::kIndexValue),
  ORDER_ONLY_VALUE = uint8_t(vinci::ReduceOrder::kOnlyValue),
  ORDER_ONLY_INDEX = uint8_t(vinci::ReduceOrder::kOnlyIndex),
};

namespace in_api {

inline vinci::Lanes reduced(const int32_t mask, const int32_t repeats, bool set_mask) {
  return vinci::lanes_continuous(uint64_t(int64_t(mask)), repeats, set_mask);
}
inline vinci::Lanes reduced(const vinci::LaneBits& mask, const int32_t repeats, bool set_mask) {
  return vinci::lanes_bits(mask, repeats, set_mask);
}

template <class T>
void issue_reduce(const vinci::Instruction& instruction, const LocalTensor<T>& dst,
                  const LocalTensor<T>& src, const vinci::Lanes& lanes, int32_t dst_repeat_stride,
                  int32_t src_block_stride, int32_t src_repeat_stride,
                  ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
  vinci::issue(vinci::ReduceRecord{{&instruction},
                                   dst.operand(),
                                   src.operand(),
                                   lanes,
                                   dst_repeat_stride,
                                   src_block_stride,
                                   src_repeat_stride,
                                   vinci::ReduceOrder(order)});
}

template <class T>
void issue_reduce_all(const vinci::Instruction& instruction, const LocalTensor<T>& dst,
                      const LocalTensor<T>& src, const LocalTensor<T>& work,
                      const vinci::Lanes& lanes, int32_t src_repeat_stride, bool with_index) {
  vinci::issue(vinci::ReduceAllRecord{{&instruction},
                                      dst.operand(),
                                      src.operand(),
                                      work.operand(),
                                      lanes,
                                      src_repeat_stride,
                                      with_index});
}

}  // namespace in_api

// Each in its two forms: `Mask` is the lanes' bits, or the number of the first lanes.
#define VINCI_WHOLE(Name, instruction, Mask)                                                       \
  template <class T, bool isSetMask = true>                                                        \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask, const int32_t repeatTime,  \
            const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,    \
            ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {                                  \
    in_api::issue_reduce(vinci::isa::instruction, dst, src,                                        \
                         in_api::reduced(mask, repeatTime, isSetMask), dstRepStride, srcBlkStride, \
                         srcRepStride, order);                                                     \
  }

#define VINCI_WHOLE_SUM(Mask)                                                                      \
  template <class T, bool isSetMask = true>                                                        \
  void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask,                  \
                      const int32_t repeatTime, const int32_t dstRepStride,                        \
                      const int32_t srcBlkStride, const int32_t srcRepStride) {                    \
    in_api::issue_reduce(vinci::isa::whole_reduce_sum, dst, src,                                   \
                         in_api::reduced(mask, repeatTime, isSetMask), dstRepStride, srcBlkStride, \
                         srcRepStride);                                                            \
  }

// Here the repeats come before the mask.
#define VINCI_PARTS(Name, instruction, Mask)                                                       \
  template <class T, bool isSetMask = true>                                                        \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, Mask,  \
            const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) {  \
    in_api::issue_reduce(vinci::isa::instruction, dst, src,                                        \
                         in_api::reduced(mask, repeatTime, isSetMask), dstRepStride, srcBlkStride, \
                         srcRepStride);                                                            \
  }

#define VINCI_REDUCE_ALL(Name, instruction, Mask)                                              \
  template <class T>                                                                           \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                              \
            const LocalTensor<T>& sharedTmpBuffer, Mask, const int32_t repeatTime,             \
            const int32_t srcRepStride, bool calIndex = false) {                               \
    in_api::issue_reduce_all(vinci::isa::instruction, dst, src, sharedTmpBuffer,               \
                             in_api::reduced(mask, repeatTime, true), srcRepStride, calIndex); \
  }

#define VINCI_REDUCE_SUM(Mask)                                                                   \
  template <class T, bool isSetMask = true>                                                      \
  void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,                           \
                 const LocalTensor<T>& sharedTmpBuffer, Mask, const int32_t repeatTime,          \
                 const int32_t srcRepStride) {                                                   \
    in_api::issue_reduce_all(vinci::isa::reduce_sum, dst, src, sharedTmpBuffer,                  \
                             in_api::reduced(mask, repeatTime, isSetMask), srcRepStride, false); \
  }

#define VINCI_BOTH(Kind, ...) \
  Kind(__VA_ARGS__, const vinci::LaneBits& mask) Kind(__VA_ARGS__, const int32_t mask)

VINCI_BOTH(VINCI_WHOLE, WholeReduceMax, whole_reduce_max)
VINCI_BOTH(VINCI_WHOLE, WholeReduceMin, whole_reduce_min)
VINCI_BOTH(VINCI_PARTS, BlockReduceMax, block_reduce_max)
VINCI_BOTH(VINCI_PARTS, BlockReduceMin, block_reduce_min)
VINCI_BOTH(VINCI_PARTS, BlockReduceSum, block_reduce_sum)
VINCI_BOTH(VINCI_PARTS, PairReduceSum, pair_reduce_sum)
VINCI_BOTH(VINCI_REDUCE_ALL, ReduceMax, reduce_max)
VINCI_BOTH(VINCI_REDUCE_ALL, ReduceMin, reduce_min)
VINCI_WHOLE_SUM(const vinci::LaneBits& mask)
VINCI_WHOLE_SUM(const int32_t mask)
VINCI_REDUCE_SUM(const vinci::LaneBits& mask)
VINCI_REDUCE_SUM(const int32_t mask)

#undef VINCI_WHOLE
#undef VINCI_WHOLE_SUM
#undef VINCI_PARTS
#undef VINCI_REDUCE_ALL
#undef VINCI_REDUCE_SUM
#undef VINCI_BOTH

// WholeReduceSum with other parameters; dstBlkStride has no effect.
template <class T, bool isSetMask = true>
void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                     const int32_t mask, const int32_t /*dstBlkStride*/, const int32_t srcBlkStride,
                     const int32_t dstRepStride, const int32_t srcRepStride) {
  in_api::issue_reduce(vinci::isa::repeat_reduce_sum, dst, src,
                       in_api::reduced(mask, repeatTime, isSetMask), dstRepStride, srcBlkStride,
                       srcRepStride);
}

// The first `count` elements. sharedTmpBuffer holds what the repeats gave.
template <class T>
void ReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src,
               const LocalTensor<T>& sharedTmpBuffer, const int32_t count, bool calIndex = false) {
  in_api::issue_reduce_all(vinci::isa::reduce_max, dst, src, sharedTmpBuffer,
                           in_api::count_of(count), 8, calIndex);
}
template <class T>
void ReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src,
               const LocalTensor<T>& sharedTmpBuffer, const int32_t count, bool calIndex = false) {
  in_api::issue_reduce_all(vinci::isa::reduce_min, dst, src, sharedTmpBuffer,
                           in_api::count_of(count), 8, calIndex);
}
template <class T, bool isSetMask = true>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
               const LocalTensor<T>& sharedTmpBuffer, const int32_t count) {
  in_api::issue_reduce_all(vinci::isa::reduce_sum, dst, src, sharedTmpBuffer,
                           in_api::count_of(count), 8, false);
}

namespace in_api {

// The half or float whose bits a register has.
template <class T>
T reduced_value(uint32_t bits) {
  static_assert(std::is_same_v<T, half> || std::is_same_v<T, float>,
                "what reductions leave is read as half or float");
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

}  // namespace in_api

// What the last ReduceSum of `count` elements left.
template <class T>
T GetReduceRepeatSumSpr() {
  return in_api::reduced_value<T>(vinci::reduced_sum());
}
template <class T>
T GetAccVal() {
  return GetReduceRepeatSumSpr<T>();
}
// Older pages have the registers as they are: bits of a half or float in an integer.
inline int64_t GetAccVal() { return vinci::reduced_sum(); }
// The largest or smallest value that the last reduction found in all its repeats, and its index, an
// unsigned integer in the place of a T. One form belongs to Atlas A2/A3, the other to the 310P.
template <class T>
void GetReduceRepeatMaxMinSpr(T& maxMinValue, T& maxMinIndex) {
  uint32_t index = 0;
  maxMinValue = in_api::reduced_value<T>(vinci::reduced_extreme(index));
  maxMinIndex = in_api::reduced_value<T>(index);
}
template <class T>
void GetReduceRepeatMaxMinSpr(T& maxMinValue) {
  maxMinValue = in_api::reduced_value<T>(vinci::reduced_extreme());
}
template <class T>
void GetReduceMaxMinCount(T& maxMinValue, T& maxMinIndex) {
  GetReduceRepeatMaxMinSpr(maxMinValue, maxMinIndex);
}
template <class T>
void GetReduceMaxMinCount(uint32_t& maxMinValue, uint32_t& maxMinIndex) {
  maxMinValue = vinci::reduced_extreme(maxMinIndex);
}
template <class T>
void GetReduceMaxMinCount(T& maxMinValue) {
  GetReduceRepeatMaxMinSpr(maxMinValue);
}

}  // namespace AscendC
