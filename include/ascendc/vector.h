// What the calls of vector instructions share: repeat parameters, and how records are made of them.
#pragma once

#include "ascendc/tensor.h"
#include "vinci/record/vector.h"

namespace AscendC {

// For calls with isSetMask = false, which do not look at it.
inline constexpr uint64_t MASK_PLACEHOLDER = vinci::kMaskPlaceholder;
inline constexpr uint64_t MASK_PLACEHOLDER_LIST[2] = {MASK_PLACEHOLDER, MASK_PLACEHOLDER};

// Strides in datablocks between blocks (Blk) and between repeats (Rep). The core keeps 8 bits of
// them, but for a single source's Blk; 16 bits here, so that what it would cut off is told. Of what
// is behind the strides the documents say that nobody sets it.
struct BinaryRepeatParams {
  BinaryRepeatParams() = default;
  BinaryRepeatParams(uint16_t dst_blk, uint16_t src0_blk, uint16_t src1_blk, uint16_t dst_rep,
                     uint16_t src0_rep, uint16_t src1_rep)
      : dstBlkStride(dst_blk),
        src0BlkStride(src0_blk),
        src1BlkStride(src1_blk),
        dstRepStride(dst_rep),
        src0RepStride(src0_rep),
        src1RepStride(src1_rep) {}

  uint16_t dstBlkStride = 1;
  uint16_t src0BlkStride = 1;
  uint16_t src1BlkStride = 1;
  uint16_t dstRepStride = 8;
  uint16_t src0RepStride = 8;
  uint16_t src1RepStride = 8;
  uint32_t blockNumber = 8;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
};

struct UnaryRepeatParams {
  UnaryRepeatParams() = default;
  UnaryRepeatParams(uint16_t dst_blk, uint16_t src_blk, uint16_t dst_rep, uint16_t src_rep)
      : dstBlkStride(dst_blk),
        srcBlkStride(src_blk),
        dstRepStride(dst_rep),
        srcRepStride(src_rep) {}
  // CastDequant's own argument says where its results go.
  UnaryRepeatParams(uint16_t dst_blk, uint16_t src_blk, uint16_t dst_rep, uint16_t src_rep,
                    bool half_block)
      : UnaryRepeatParams(dst_blk, src_blk, dst_rep, src_rep) {
    halfBlock = half_block;
  }

  uint16_t dstBlkStride = 1;
  uint16_t srcBlkStride = 1;
  uint16_t dstRepStride = 8;
  uint16_t srcRepStride = 8;
  uint32_t blockNumber = 8;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
  bool halfBlock = false;
};

namespace in_api {

// T itself, but not a place where the compiler may look for T: a scalar converts to the tensors'
// element type.
template <class T>
struct AsIs {
  using type = T;
};
template <class T>
using as_is = typename AsIs<T>::type;

template <class T>
uint64_t scalar_bits(const T& scalar) {
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &scalar, sizeof(T));
  return bits;
}

// As records of 16 bits keep it: what is too much stays so.
constexpr uint16_t repeats_of(int32_t repeatTime) {
  return repeatTime == uint16_t(repeatTime) ? uint16_t(repeatTime) : UINT16_MAX;
}

inline vinci::Lanes count_of(const int32_t& count) {
  return vinci::lanes_count(uint64_t(int64_t(count)));
}

// dst, a source, and the strides between their blocks and repeats.
template <class Record = vinci::ElementwiseRecord, class T, class U>
Record unary_record(const vinci::Instruction& instruction, const LocalTensor<T>& dst,
                    const LocalTensor<U>& src, const vinci::Lanes& lanes,
                    const UnaryRepeatParams& params) {
  Record record{};
  record.instruction = &instruction;
  record.dst = dst.operand();
  record.src0 = src.operand();
  record.lanes = lanes;
  record.dst_stride = {params.dstBlkStride, params.dstRepStride};
  record.src0_stride = {params.srcBlkStride, params.srcRepStride};
  return record;
}

template <class T, class U, class S>
vinci::ElementwiseRecord scalar_record(const vinci::Instruction& instruction,
                                       const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                       const S& scalar, const vinci::Lanes& lanes,
                                       const UnaryRepeatParams& params) {
  vinci::ElementwiseRecord record = unary_record(instruction, dst, src, lanes, params);
  record.scalar = scalar_bits(scalar);
  record.scalar_dtype = vinci::dtype_of<S>;
  return record;
}

template <class T, class U>
vinci::ElementwiseRecord binary_record(const vinci::Instruction& instruction,
                                       const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                                       const LocalTensor<U>& src1, const vinci::Lanes& lanes,
                                       const BinaryRepeatParams& params) {
  return {{&instruction},
          dst.operand(),
          src0.operand(),
          src1.operand(),
          lanes,
          {params.dstBlkStride, params.dstRepStride},
          {params.src0BlkStride, params.src0RepStride},
          {params.src1BlkStride, params.src1RepStride}};
}

}  // namespace in_api

}  // namespace AscendC
