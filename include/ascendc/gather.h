// Elements and datablocks by offset or by mask: Gather, Gatherb, GatherMask, Scatter,
// BilinearInterpolation.
#pragma once

#include "ascendc/vector.h"
#include "vinci/record/bilinear.h"
#include "vinci/record/scatter.h"

namespace vinci::isa {
extern const Instruction bilinear_interpolation, gather, gather_mask, gatherb, scatter;
}  // namespace vinci::isa

namespace AscendC {

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
            const vinci::LaneBits& mask, const int32_t repeatTimes, const uint16_t dstRepStride) {
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
            const int32_t repeatTimes, const uint16_t dstRepStride) {
  vinci::issue(vinci::GatherRecord{{&vinci::isa::gather},
                                   dst.operand(),
                                   src.operand(),
                                   srcOffset.operand(),
                                   srcBaseAddr,
                                   vinci::lanes_continuous(mask, repeatTimes),
                                   {1, dstRepStride}});
}

// The element of dst at dstBaseAddr + dstOffset[i] bytes = src[i].
template <class T>
void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src,
             const LocalTensor<uint32_t>& dstOffset, const uint32_t dstBaseAddr,
             const uint32_t count) {
  vinci::issue(vinci::ScatterRecord{{&vinci::isa::scatter},
                                    dst.operand(),
                                    src.operand(),
                                    dstOffset.operand(),
                                    dstBaseAddr,
                                    vinci::lanes_count(count),
                                    {}});
}
template <class T>
void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src,
             const LocalTensor<uint32_t>& dstOffset, const uint32_t dstBaseAddr,
             const vinci::LaneBits& mask, const int32_t repeatTime, const uint16_t srcRepStride) {
  vinci::issue(vinci::ScatterRecord{{&vinci::isa::scatter},
                                    dst.operand(),
                                    src.operand(),
                                    dstOffset.operand(),
                                    dstBaseAddr,
                                    vinci::lanes_bits(mask, repeatTime),
                                    {1, srcRepStride}});
}
template <class T>
void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src,
             const LocalTensor<uint32_t>& dstOffset, const uint32_t dstBaseAddr,
             const uint64_t mask, const int32_t repeatTime, const uint16_t srcRepStride) {
  vinci::issue(vinci::ScatterRecord{{&vinci::isa::scatter},
                                    dst.operand(),
                                    src.operand(),
                                    dstOffset.operand(),
                                    dstBaseAddr,
                                    vinci::lanes_continuous(mask, repeatTime),
                                    {1, srcRepStride}});
}

// Strides of dst, in datablocks.
struct GatherRepeatParams {
  GatherRepeatParams() = default;
  GatherRepeatParams(uint8_t dst_blk, uint8_t dst_rep)
      : dstBlkStride(dst_blk), dstRepStride(dst_rep) {}

  uint8_t dstBlkStride = 1;
  uint16_t dstRepStride = 8;
};

// Each datablock of dst is the one of src at offset[i] bytes, eight to a repeat.
template <class T>
void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src,
             const LocalTensor<uint32_t>& offset, const int32_t repeatTime,
             const GatherRepeatParams& repeatParams) {
  vinci::issue(vinci::GatherBlockRecord{{&vinci::isa::gatherb},
                                        dst.operand(),
                                        src.operand(),
                                        offset.operand(),
                                        in_api::repeats_of(repeatTime),
                                        {repeatParams.dstBlkStride, repeatParams.dstRepStride}});
}

// Strides in datablocks, and the number of repeats.
struct GatherMaskParams {
  GatherMaskParams() = default;
  GatherMaskParams(uint8_t src0_blk, uint16_t repeats, uint16_t src0_rep, uint8_t src1_rep)
      : src0BlockStride(src0_blk),
        repeatTimes(repeats),
        src0RepeatStride(src0_rep),
        src1RepeatStride(src1_rep) {}

  uint8_t src0BlockStride = 1;
  uint16_t repeatTimes = 0;
  uint16_t src0RepeatStride = 8;
  uint8_t src1RepeatStride = 8;
};

namespace in_api {

inline void issue_gather_mask(vinci::GatherMaskRecord record, bool counter, uint32_t mask,
                              const GatherMaskParams& params) {
  record.instruction = &vinci::isa::gather_mask;
  record.counter = counter;
  record.elements = mask;
  record.repeats = params.repeatTimes;
  record.src_stride = {params.src0BlockStride, params.src0RepeatStride};
  record.pattern_repeat_stride = params.src1RepeatStride;
  vinci::issue(record);
}

}  // namespace in_api

// How many elements the last GatherMask has packed.
inline int64_t GetGatherMaskRemainCount() { return int64_t(vinci::gathered_count()); }

// The elements of src0 whose bit of src1Pattern is set, packed into dst. rsvdCnt: how many.
template <class T, class U>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                const LocalTensor<U>& src1Pattern, const bool reduceMode, const uint32_t mask,
                const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt) {
  vinci::GatherMaskRecord record{};
  record.dst = dst.operand();
  record.src = src0.operand();
  record.pattern = src1Pattern.operand();
  in_api::issue_gather_mask(record, reduceMode, mask, gatherMaskParams);
  rsvdCnt = vinci::gathered_count();
}
// The same with a fixed pattern. 1, 2: the first, second of two elements; 3..6: the first to fourth
// of four; 7: all.
template <class T>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const uint8_t src1Pattern,
                const bool reduceMode, const uint32_t mask,
                const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt) {
  vinci::GatherMaskRecord record{};
  record.dst = dst.operand();
  record.src = src0.operand();
  record.fixed = src1Pattern;
  in_api::issue_gather_mask(record, reduceMode, mask, gatherMaskParams);
  rsvdCnt = vinci::gathered_count();
}

namespace in_api {

template <class T>
void interpolate(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                 const LocalTensor<uint32_t>& offset, const LocalTensor<T>& src1,
                 const vinci::Lanes& lanes, uint8_t h_repeats, bool mode, uint16_t dst_stride,
                 uint16_t v_offset, uint8_t v_repeats, const LocalTensor<uint8_t>& tmp) {
  vinci::BilinearRecord record;
  record.instruction = &vinci::isa::bilinear_interpolation;
  record.dst = dst.operand();
  record.src0 = src0.operand();
  record.src0_offset = offset.operand();
  record.src1 = src1.operand();
  record.tmp = tmp.operand();
  record.tmp_bytes = vinci::is_split_chip() ? 32ul * (src0.GetSize() + src1.GetSize())
                                            : sizeof(uint32_t) * offset.GetSize();
  record.lanes = lanes;
  record.h_repeats = h_repeats;
  record.v_repeats = v_repeats;
  record.factor_of_block = mode;
  record.dst_block_stride = dst_stride;
  record.v_offset = v_offset;
  vinci::issue(record);
}

}  // namespace in_api

// Datablocks of src0 that src0Offset points to, eight to a repeat, times elements of src1: one for
// each repeat, or with repeatMode for each block; summed up over hRepeat repeats, vRepeat times.
template <class T>
void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                           const LocalTensor<uint32_t>& src0Offset, const LocalTensor<T>& src1,
                           const vinci::LaneBits& mask, uint8_t hRepeat, bool repeatMode,
                           uint16_t dstBlkStride, uint16_t vROffset, uint8_t vRepeat,
                           const LocalTensor<uint8_t>& sharedTmpBuffer) {
  in_api::interpolate(dst, src0, src0Offset, src1, vinci::lanes_bits(mask, 1), hRepeat, repeatMode,
                      dstBlkStride, vROffset, vRepeat, sharedTmpBuffer);
}
template <class T>
void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                           const LocalTensor<uint32_t>& src0Offset, const LocalTensor<T>& src1,
                           uint64_t mask, uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride,
                           uint16_t vROffset, uint8_t vRepeat,
                           const LocalTensor<uint8_t>& sharedTmpBuffer) {
  in_api::interpolate(dst, src0, src0Offset, src1, vinci::lanes_continuous(mask, 1), hRepeat,
                      repeatMode, dstBlkStride, vROffset, vRepeat, sharedTmpBuffer);
}

}  // namespace AscendC
