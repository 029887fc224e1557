// Duplicate and CreateVecIndex: vectors from one number.
#pragma once

#include "ascendc/vector.h"

namespace vinci::isa {
extern const Instruction create_vec_index, duplicate;
}  // namespace vinci::isa

namespace AscendC {

namespace in_api {

template <class T>
void issue_from_scalar(const vinci::Instruction& instruction, const LocalTensor<T>& dst,
                       const as_is<T>& scalar, const vinci::Lanes& lanes,
                       const vinci::Stride& stride) {
  vinci::ElementwiseRecord record{};
  record.instruction = &instruction;
  record.dst = dst.operand();
  record.lanes = lanes;
  record.dst_stride = stride;
  record.scalar = scalar_bits(scalar);
  record.scalar_dtype = vinci::dtype_of<T>;
  vinci::issue(record);
}

}  // namespace in_api

// Every selected element of dst becomes `scalar`.
template <class T, bool isSetMask = true>
void Duplicate(const LocalTensor<T>& dst, const in_api::as_is<T>& scalar,
               const vinci::LaneBits& mask, const int32_t repeatTime, const uint16_t dstBlkStride,
               const uint16_t dstRepStride) {
  in_api::issue_from_scalar(vinci::isa::duplicate, dst, scalar,
                            vinci::lanes_bits(mask, repeatTime, isSetMask),
                            {dstBlkStride, dstRepStride});
}
template <class T, bool isSetMask = true>
void Duplicate(const LocalTensor<T>& dst, const in_api::as_is<T>& scalar, const uint64_t mask,
               const int32_t repeatTime, const uint16_t dstBlkStride, const uint16_t dstRepStride) {
  in_api::issue_from_scalar(vinci::isa::duplicate, dst, scalar,
                            vinci::lanes_continuous(mask, repeatTime, isSetMask),
                            {dstBlkStride, dstRepStride});
}
template <class T>
void Duplicate(const LocalTensor<T>& dst, const in_api::as_is<T>& scalar, const int32_t& count) {
  in_api::issue_from_scalar(vinci::isa::duplicate, dst, scalar, in_api::count_of(count), {});
}

// firstValue, firstValue + 1, ...: lane i of repeat r gets its number in all repeats together.
template <class T>
void CreateVecIndex(LocalTensor<T>& dst, const in_api::as_is<T>& firstValue,
                    const vinci::LaneBits& mask, int32_t repeatTime, uint16_t dstBlkStride,
                    uint16_t dstRepStride) {
  in_api::issue_from_scalar(vinci::isa::create_vec_index, dst, firstValue,
                            vinci::lanes_bits(mask, repeatTime), {dstBlkStride, dstRepStride});
}
template <class T>
void CreateVecIndex(LocalTensor<T>& dst, const in_api::as_is<T>& firstValue, uint64_t mask,
                    int32_t repeatTime, uint16_t dstBlkStride, uint16_t dstRepStride) {
  in_api::issue_from_scalar(vinci::isa::create_vec_index, dst, firstValue,
                            vinci::lanes_continuous(mask, repeatTime),
                            {dstBlkStride, dstRepStride});
}
template <class T>
void CreateVecIndex(LocalTensor<T> dst, const in_api::as_is<T>& firstValue, uint32_t count) {
  in_api::issue_from_scalar(vinci::isa::create_vec_index, dst, firstValue,
                            vinci::lanes_count(count), {});
}

}  // namespace AscendC
