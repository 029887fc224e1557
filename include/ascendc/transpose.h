// Transpose and TransDataTo5HD.
#pragma once

#include "ascendc/tensor.h"
#include "vinci/record/vector.h"

namespace vinci::isa {
extern const Instruction trans_data_to_5hd, transpose;
}  // namespace vinci::isa

namespace AscendC {

// 16 x 16 elements of 16 bits: dst[j][i] = src[i][j].
template <class T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src) {
  vinci::issue(vinci::TransposeRecord{{&vinci::isa::transpose}, dst.operand(), src.operand()});
}

inline constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

// Strides in datablocks between repeats; a single repeat starts one stride from the addresses.
struct TransDataTo5HDParams {
  TransDataTo5HDParams() = default;
  TransDataTo5HDParams(bool dst_high, bool src_high, uint8_t repeats, uint16_t dst_stride,
                       uint16_t src_stride)
      : dstHighHalf(dst_high),
        srcHighHalf(src_high),
        repeatTimes(repeats),
        dstRepStride(dst_stride),
        srcRepStride(src_stride) {}

  bool dstHighHalf = false;
  bool srcHighHalf = false;
  uint8_t repeatTimes = 1;
  uint16_t dstRepStride = 0;
  uint16_t srcRepStride = 0;
};

namespace detail {

// dst_of(i) and src_of(i) are the operands in their lists.
template <class Dst, class Src>
void trans_data(const TransDataTo5HDParams& params, Dst dst_of, Src src_of) {
  vinci::TransposeBlocksRecord record{};
  record.instruction = &vinci::isa::trans_data_to_5hd;
  for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    record.dst[i] = dst_of(i);
    record.src[i] = src_of(i);
  }
  record.repeats = params.repeatTimes;
  record.dst_stride = params.dstRepStride;
  record.src_stride = params.srcRepStride;
  record.dst_high = params.dstHighHalf;
  record.src_high = params.srcHighHalf;
  vinci::issue(record);
}

// A tensor of T where a LocalTensor's GetPhyAddr points.
template <class T>
vinci::Operand tensor_at(uint64_t address) {
  vinci::Operand operand = vinci::ub_tensor(address);
  operand.dtype = vinci::dtype_of<T>;
  return operand;
}

}  // namespace detail

// Turns the elements of 16 datablocks into 16 others.
template <class T>
void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const TransDataTo5HDParams& nchwconvParams) {
  detail::trans_data(
      nchwconvParams, [&](int i) { return dstList[i].operand(); },
      [&](int i) { return srcList[i].operand(); });
}
// The same with addresses, as GetPhyAddr gives them.
template <class T>
void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE],
                    uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                    const TransDataTo5HDParams& nchwconvParams) {
  detail::trans_data(
      nchwconvParams, [&](int i) { return detail::tensor_at<T>(dstList[i]); },
      [&](int i) { return detail::tensor_at<T>(srcList[i]); });
}
// The same with addresses in UB.
template <class T>
void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src,
                    const TransDataTo5HDParams& nchwconvParams) {
  detail::trans_data(
      nchwconvParams, [&](int i) { return detail::tensor_at<T>(dst.GetValue(uint32_t(i))); },
      [&](int i) { return detail::tensor_at<T>(src.GetValue(uint32_t(i))); });
}

}  // namespace AscendC
