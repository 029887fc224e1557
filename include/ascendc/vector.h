// The vector instructions: parameters that they share, and one declaration each.
#pragma once

#include "ascendc/tensor.h"
#include "vinci/record/vector.h"

namespace vinci::isa {
extern const Instruction add;
extern const Instruction duplicate;
extern const Instruction gather;
}  // namespace vinci::isa

namespace AscendC {

inline constexpr uint64_t MASK_PLACEHOLDER = 0;

// Strides in datablocks between blocks (Blk) and between repeats (Rep).
struct BinaryRepeatParams {
  BinaryRepeatParams() = default;
  BinaryRepeatParams(uint8_t dst_blk, uint8_t src0_blk, uint8_t src1_blk, uint8_t dst_rep,
                     uint8_t src0_rep, uint8_t src1_rep)
      : dstBlkStride(dst_blk),
        src0BlkStride(src0_blk),
        src1BlkStride(src1_blk),
        dstRepStride(dst_rep),
        src0RepStride(src0_rep),
        src1RepStride(src1_rep) {}

  uint8_t dstBlkStride = 1;
  uint8_t src0BlkStride = 1;
  uint8_t src1BlkStride = 1;
  uint8_t dstRepStride = 8;
  uint8_t src0RepStride = 8;
  uint8_t src1RepStride = 8;
};

namespace detail {

template <class T>
void issue_binary(const vinci::Instruction& instruction, const LocalTensor<T>& dst,
                  const LocalTensor<T>& src0, const LocalTensor<T>& src1, const vinci::Lanes& lanes,
                  const BinaryRepeatParams& params) {
  vinci::issue(vinci::BinaryRecord{{&instruction},
                                   dst.operand(),
                                   src0.operand(),
                                   src1.operand(),
                                   lanes,
                                   {params.dstBlkStride, params.dstRepStride},
                                   {params.src0BlkStride, params.src0RepStride},
                                   {params.src1BlkStride, params.src1RepStride}});
}

}  // namespace detail

// The three documented forms of a binary instruction.
#define VINCI_BINARY(Name, instruction)                                                        \
  template <class T, bool isSetMask = true>                                                    \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, \
            uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams& params) {     \
    detail::issue_binary(vinci::isa::instruction, dst, src0, src1,                             \
                         vinci::lanes_bits(mask, repeatTime, isSetMask), params);              \
  }                                                                                            \
  template <class T, bool isSetMask = true>                                                    \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, \
            uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams& params) {       \
    detail::issue_binary(vinci::isa::instruction, dst, src0, src1,                             \
                         vinci::lanes_continuous(mask, repeatTime, isSetMask), params);        \
  }                                                                                            \
  template <class T>                                                                           \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, \
            const int32_t& count) {                                                            \
    detail::issue_binary(vinci::isa::instruction, dst, src0, src1,                             \
                         vinci::lanes_count(uint64_t(int64_t(count))), BinaryRepeatParams());  \
  }

VINCI_BINARY(Add, add)
#undef VINCI_BINARY

namespace detail {

struct AddOperation {
  template <class T>
  static void run(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                  uint32_t count) {
    Add(dst, src0, src1, int32_t(count));
  }
};

template <class T>
uint64_t scalar_bits(const T& scalar) {
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &scalar, sizeof(T));
  return bits;
}

}  // namespace detail

// dst = src0 + src1 over the whole of dst.
template <class T>
TensorExpression<detail::AddOperation, T> operator+(const LocalTensor<T>& src0,
                                                    const LocalTensor<T>& src1) {
  return {src0, src1};
}

// Every selected element of dst becomes `scalar`.
template <class T, bool isSetMask = true>
void Duplicate(const LocalTensor<T>& dst, const T& scalar, uint64_t mask[],
               const uint8_t repeatTime, const uint16_t dstBlkStride, const uint8_t dstRepStride) {
  vinci::issue(vinci::DuplicateRecord{{&vinci::isa::duplicate},
                                      dst.operand(),
                                      detail::scalar_bits(scalar),
                                      vinci::lanes_bits(mask, repeatTime, isSetMask),
                                      {dstBlkStride, dstRepStride}});
}
template <class T, bool isSetMask = true>
void Duplicate(const LocalTensor<T>& dst, const T& scalar, uint64_t mask, const uint8_t repeatTime,
               const uint16_t dstBlkStride, const uint8_t dstRepStride) {
  vinci::issue(vinci::DuplicateRecord{{&vinci::isa::duplicate},
                                      dst.operand(),
                                      detail::scalar_bits(scalar),
                                      vinci::lanes_continuous(mask, repeatTime, isSetMask),
                                      {dstBlkStride, dstRepStride}});
}
template <class T>
void Duplicate(const LocalTensor<T>& dst, const T& scalar, const int32_t& count) {
  vinci::issue(vinci::DuplicateRecord{{&vinci::isa::duplicate},
                                      dst.operand(),
                                      detail::scalar_bits(scalar),
                                      vinci::lanes_count(uint64_t(int64_t(count))),
                                      {}});
}

// dst[i] = the element of src at srcBaseAddr + srcOffset[i] bytes.
template <class T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
            const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr,
            const uint32_t count) {
  vinci::issue(vinci::GatherRecord{{&vinci::isa::gather},
                                   dst.operand(),
                                   src.operand(),
                                   srcOffset.operand(),
                                   srcBaseAddr,
                                   vinci::lanes_count(count),
                                   {}});
}
template <class T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
            const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr,
            const uint64_t mask[], const uint8_t repeatTimes, const uint16_t dstRepStride) {
  vinci::issue(vinci::GatherRecord{{&vinci::isa::gather},
                                   dst.operand(),
                                   src.operand(),
                                   srcOffset.operand(),
                                   srcBaseAddr,
                                   vinci::lanes_bits(mask, repeatTimes),
                                   {1, dstRepStride}});
}
template <class T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
            const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr, const uint64_t mask,
            const uint8_t repeatTimes, const uint16_t dstRepStride) {
  vinci::issue(vinci::GatherRecord{{&vinci::isa::gather},
                                   dst.operand(),
                                   src.operand(),
                                   srcOffset.operand(),
                                   srcBaseAddr,
                                   vinci::lanes_continuous(mask, repeatTimes),
                                   {1, dstRepStride}});
}

}  // namespace AscendC
