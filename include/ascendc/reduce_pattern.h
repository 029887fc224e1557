// Reductions of tensors with two axes: ReduceSum and its kin with a pattern, Sum, Mean, CumSum.
#pragma once

#include "ascendc/elementwise.h"
#include "ascendc/reduce.h"

namespace vinci::isa {
extern const Instruction reduce_sum_pattern, reduce_mean, reduce_prod, reduce_max_pattern;
extern const Instruction reduce_min_pattern, reduce_any, reduce_all, reduce_xor_sum, sum_rows;
extern const Instruction mean_rows, cum_sum;
}  // namespace vinci::isa

namespace AscendC {

// The letters are the axes; R is reduced.
namespace Pattern::Reduce {
struct AR {
  static constexpr bool kFirstAxis = false;
};
struct RA {
  static constexpr bool kFirstAxis = true;
};
}  // namespace Pattern::Reduce

namespace in_api {

// What ReduceSum and its kin keep of rows of more than 64 numbers, unless they may use src.
inline uint64_t fold_scratch(bool first_axis, uint32_t first, uint32_t last, bool reuses) {
  if (reuses || (!first_axis && last <= 64)) return 0;
  const auto power_of = [](uint32_t n) { return n == 0 ? 0 : 1u << (31 - __builtin_clz(n)); };
  if (first_axis) return uint64_t(power_of(first)) * ((last + 7) / 8 * 8) * 4;
  const uint32_t power = power_of(last);
  return uint64_t(first) * (power == last ? power / 2 : power) * 4;
}
// The larger of ReduceMax and ReduceMin keep a datablock or a repeat of each row.
inline uint64_t extreme_scratch(bool first_axis, uint32_t first, uint32_t last, uint32_t bytes) {
  if (first_axis || last <= 32 / bytes) return 0;
  return uint64_t(first) * (last < 256 / bytes ? 32 : 256);
}

template <class pattern, class T>
vinci::LibraryRecord pattern_record(const vinci::Instruction& instruction,
                                    const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                    const uint32_t shape[], bool src_inner_pad) {
  if (!src_inner_pad) {
    vinci::bad_argument("Reduce", "srcInnerPad", 0, "true: rows begin at datablocks");
  }
  auto record = element_record(instruction, 0, dst, src);
  record.size[0] = shape[0];
  record.size[1] = shape[1];
  record.size[2] = pattern::kFirstAxis;
  return record;
}

}  // namespace in_api

// With isReuseSource src is used up where scratch memory would be without.
#define VINCI_PATTERN(Name, instruction, bytes, without)                                         \
  template <class T, class pattern, bool isReuseSource = false>                                  \
  void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,                    \
            const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t srcShape[],              \
            bool srcInnerPad) {                                                                  \
    auto record = in_api::pattern_record<pattern>(vinci::isa::instruction, dstTensor, srcTensor, \
                                                  srcShape, srcInnerPad);                        \
    record.used_up = isReuseSource && without != 0;                                              \
    vinci::issue(in_api::with_scratch(record, sharedTmpBuffer, bytes));                          \
  }                                                                                              \
  template <class T, class pattern, bool isReuseSource = false>                                  \
  void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,                    \
            const uint32_t srcShape[], bool srcInnerPad) {                                       \
    auto record = in_api::pattern_record<pattern>(vinci::isa::instruction, dstTensor, srcTensor, \
                                                  srcShape, srcInnerPad);                        \
    record.used_up = isReuseSource && without != 0;                                              \
    vinci::issue(record);                                                                        \
  }
#define VINCI_FOLD(reuses) \
  in_api::fold_scratch(pattern::kFirstAxis, srcShape[0], srcShape[1], reuses)
#define VINCI_EXTREME \
  in_api::extreme_scratch(pattern::kFirstAxis, srcShape[0], srcShape[1], sizeof(T))
VINCI_PATTERN(ReduceSum, reduce_sum_pattern, VINCI_FOLD(isReuseSource), VINCI_FOLD(false))
VINCI_PATTERN(ReduceMean, reduce_mean, VINCI_FOLD(isReuseSource), VINCI_FOLD(false))
VINCI_PATTERN(ReduceProd, reduce_prod, VINCI_FOLD(isReuseSource), VINCI_FOLD(false))
VINCI_PATTERN(ReduceMax, reduce_max_pattern, VINCI_EXTREME, VINCI_EXTREME)
VINCI_PATTERN(ReduceMin, reduce_min_pattern, VINCI_EXTREME, VINCI_EXTREME)
VINCI_PATTERN(ReduceAny, reduce_any, 0, VINCI_EXTREME)
VINCI_PATTERN(ReduceAll, reduce_all, 0, VINCI_EXTREME)
#undef VINCI_PATTERN
#undef VINCI_FOLD
#undef VINCI_EXTREME

// The sum of src0 ^ src1.
template <class T, bool isReuseSource = false>
void ReduceXorSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                  const LocalTensor<T>& src1Tensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
                  const uint32_t calCount) {
  vinci::issue(in_api::with_scratch(
      in_api::using_up(in_api::element_record(vinci::isa::reduce_xor_sum, calCount, dstTensor,
                                              src0Tensor, src1Tensor),
                       isReuseSource ? 3 : 0),
      sharedTmpBuffer, 0));
}
template <class T, bool isReuseSource = false>
void ReduceXorSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                  const LocalTensor<T>& src1Tensor, const uint32_t calCount) {
  vinci::issue(in_api::using_up(in_api::element_record(vinci::isa::reduce_xor_sum, calCount,
                                                       dstTensor, src0Tensor, src1Tensor),
                                isReuseSource ? 3 : 0));
}

// outter rows, inner elements from row to row, of which n count.
struct SumParams {
  uint32_t outter = 1;
  uint32_t inner;
  uint32_t n;
};
struct MeanParams {
  uint32_t outter = 1;
  uint32_t inner;
  uint32_t n;
};

namespace in_api {

constexpr uint64_t sum_scratch(uint32_t n, uint32_t element_bytes) {
  const uint32_t lanes = 256 / element_bytes, block = 32 / element_bytes;
  const uint64_t repeats = (uint64_t(n) + lanes - 1) / lanes;
  return (repeats + block - 1) / block * 32;
}
template <class T, class Params>
vinci::LibraryRecord rows_record(const vinci::Instruction& instruction, const LocalTensor<T>& dst,
                                 const LocalTensor<T>& src, const Params& params, bool in_float) {
  auto record = element_record(instruction, 0, dst, src);
  record.size[0] = params.outter;
  record.size[1] = params.inner;
  record.size[2] = params.n;
  record.size[3] = in_float;
  return record;
}

}  // namespace in_api

template <class T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
void Sum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
         const LocalTensor<uint8_t>& sharedTmpBuffer, const SumParams& sumParams) {
  vinci::issue(in_api::with_scratch(
      in_api::rows_record(vinci::isa::sum_rows, dstTensor, srcTensor, sumParams, false),
      sharedTmpBuffer, in_api::sum_scratch(sumParams.n, sizeof(T))));
}
template <class T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
void Sum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
         const SumParams& sumParams) {
  vinci::issue(in_api::rows_record(vinci::isa::sum_rows, dstTensor, srcTensor, sumParams, false));
}
template <class T, class accType = T, bool isReuseSource = false, bool isBasicBlock = false,
          int32_t reduceDim = -1>
void Mean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
          const LocalTensor<uint8_t>& sharedTmpBuffer, const MeanParams& meanParams) {
  vinci::issue(in_api::with_scratch(in_api::rows_record(vinci::isa::mean_rows, dstTensor, srcTensor,
                                                        meanParams, sizeof(accType) == 4),
                                    sharedTmpBuffer,
                                    in_api::sum_scratch(meanParams.n, sizeof(accType))));
}
template <class T, class accType = T, bool isReuseSource = false, bool isBasicBlock = false,
          int32_t reduceDim = -1>
void Mean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
          const MeanParams& meanParams) {
  vinci::issue(in_api::rows_record(vinci::isa::mean_rows, dstTensor, srcTensor, meanParams,
                                   sizeof(accType) == 4));
}

enum class CumSumAlgorithm { CUMSUM_ALGORITHM_LINEBYLINE, CUMSUM_ALGORITHM_SKLANSKY };
struct CumSumConfig {
  bool isLastAxis{true};
  bool isReuseSource{false};
  bool outputLastRow{false};
  CumSumAlgorithm algorithm{CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
};
struct CumSumInfo {
  uint32_t outter{0};
  uint32_t inner{0};
};
constexpr CumSumConfig defaultCumSumConfig{};

namespace in_api {

template <class T>
vinci::LibraryRecord running_record(const CumSumConfig& config, const LocalTensor<T>& dst,
                                    const LocalTensor<T>& last_row, const LocalTensor<T>& src,
                                    const CumSumInfo& info) {
  auto record = element_record(vinci::isa::cum_sum, 0, dst, src);
  if (config.outputLastRow) record.dst[1] = last_row.operand();
  record.size[0] = info.outter;
  record.size[1] = info.inner;
  record.size[2] = config.isLastAxis;
  return record;
}

}  // namespace in_api

template <class T, const CumSumConfig& config = defaultCumSumConfig>
void CumSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& lastRowTensor,
            const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
            const CumSumInfo& cumSumInfo) {
  vinci::issue(in_api::with_scratch(
      in_api::running_record(config, dstTensor, lastRowTensor, srcTensor, cumSumInfo),
      sharedTmpBuffer, 0));
}
template <class T, const CumSumConfig& config = defaultCumSumConfig>
void CumSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& lastRowTensor,
            const LocalTensor<T>& srcTensor, const CumSumInfo& cumSumInfo) {
  vinci::issue(in_api::running_record(config, dstTensor, lastRowTensor, srcTensor, cumSumInfo));
}

}  // namespace AscendC
