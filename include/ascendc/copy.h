// Elements and datablocks moved inside UB: Copy, VectorPadding, Brcb.
#pragma once

#include "ascendc/vector.h"

namespace vinci::isa {
extern const Instruction brcb, copy, vector_padding;
}  // namespace vinci::isa

namespace AscendC {

// Strides in datablocks between blocks (Stride) and between repeats (RepeatSize).
struct CopyRepeatParams {
  CopyRepeatParams() = default;
  CopyRepeatParams(uint16_t dst_stride, uint16_t src_stride, uint16_t dst_repeat,
                   uint16_t src_repeat)
      : dstStride(dst_stride),
        srcStride(src_stride),
        dstRepeatSize(dst_repeat),
        srcRepeatSize(src_repeat) {}

  uint16_t dstStride = 1;
  uint16_t srcStride = 1;
  uint16_t dstRepeatSize = 8;
  uint16_t srcRepeatSize = 8;
};

// Strides of dst, in datablocks.
struct BrcbRepeatParams {
  BrcbRepeatParams() = default;
  BrcbRepeatParams(uint16_t dst_blk, uint16_t dst_rep)
      : dstBlkStride(dst_blk), dstRepStride(dst_rep) {}

  uint16_t dstBlkStride = 1;
  uint16_t dstRepStride = 8;
};

namespace in_api {

template <class T>
void issue_copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const vinci::Lanes& lanes,
                const CopyRepeatParams& params) {
  auto record = unary_record(vinci::isa::copy, dst, src, lanes, {});
  record.dst_stride = {params.dstStride, params.dstRepeatSize};
  record.src0_stride = {params.srcStride, params.srcRepeatSize};
  vinci::issue(record);
}

template <class T>
void issue_padding(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint8_t mode, bool right,
                   const vinci::Lanes& lanes, const UnaryRepeatParams& params) {
  vinci::issue(vinci::PaddingRecord{
      unary_record(vinci::isa::vector_padding, dst, src, lanes, params), mode, right});
}

}  // namespace in_api

// The enabled elements of src to dst.
template <class T, bool isSetMask = true>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const vinci::LaneBits& mask,
          const int32_t repeatTime, const CopyRepeatParams& repeatParams) {
  in_api::issue_copy(dst, src, vinci::lanes_bits(mask, repeatTime, isSetMask), repeatParams);
}
template <class T, bool isSetMask = true>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask,
          const int32_t repeatTime, const CopyRepeatParams& repeatParams) {
  in_api::issue_copy(dst, src, vinci::lanes_continuous(mask, repeatTime, isSetMask), repeatParams);
}

// Each datablock of dst is what would stand to the left (padSide false) or the right of that of
// src.
template <class T>
void VectorPadding(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint8_t padMode,
                   const bool padSide, const uint32_t count) {
  in_api::issue_padding(dst, src, padMode, padSide, vinci::lanes_count(count), {});
}
template <class T, bool isSetMask = true>
void VectorPadding(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint8_t padMode,
                   const bool padSide, const vinci::LaneBits& mask, const uint8_t repeatTime,
                   const UnaryRepeatParams& repeatParams) {
  in_api::issue_padding(dst, src, padMode, padSide, vinci::lanes_bits(mask, repeatTime, isSetMask),
                        repeatParams);
}
template <class T, bool isSetMask = true>
void VectorPadding(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint8_t padMode,
                   const bool padSide, const uint64_t mask, const uint8_t repeatTime,
                   const UnaryRepeatParams& repeatParams) {
  in_api::issue_padding(dst, src, padMode, padSide,
                        vinci::lanes_continuous(mask, repeatTime, isSetMask), repeatParams);
}

// Each datablock of dst is one element of src, eight to a repeat.
template <class T>
void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const int32_t repeatTime,
          const BrcbRepeatParams& repeatParams) {
  vinci::issue(vinci::BroadcastBlockRecord{{&vinci::isa::brcb},
                                           dst.operand(),
                                           src0.operand(),
                                           in_api::repeats_of(repeatTime),
                                           {repeatParams.dstBlkStride, repeatParams.dstRepStride}});
}

}  // namespace AscendC
