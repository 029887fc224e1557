// Comparisons, whose results are bits, and what bits select.
#pragma once

#include "ascendc/compare.h"
#include "c_api/call.h"

namespace vinci::asc {

template <AscendC::CMPMODE mode>
struct Comparison {
  template <class T>
  static void call(uint8_t* dst, T* src0, T* src1, int32_t repeat, uint16_t dst_block_stride,
                   uint16_t src0_block_stride, uint16_t src1_block_stride,
                   uint16_t dst_repeat_stride, uint16_t src0_repeat_stride,
                   uint16_t src1_repeat_stride) {
    AscendC::in_api::issue_compare(at(dst), at(src0), at(src1), mode, masked(repeat),
                                   {dst_block_stride, src0_block_stride, src1_block_stride,
                                    dst_repeat_stride, src0_repeat_stride, src1_repeat_stride});
  }
  // Into CMPMASK: one repeat, whatever the number of repeats says.
  template <class T>
  static void call(T* src0, T* src1, int32_t, uint16_t dst_block_stride, uint16_t src0_block_stride,
                   uint16_t src1_block_stride, uint16_t dst_repeat_stride,
                   uint16_t src0_repeat_stride, uint16_t src1_repeat_stride) {
    AscendC::in_api::issue_compare_register(
        at(src0), at(src1), mode, masked(1),
        {dst_block_stride, src0_block_stride, src1_block_stride, dst_repeat_stride,
         src0_repeat_stride, src1_repeat_stride});
  }
};
template <AscendC::CMPMODE mode>
struct ComparisonWithScalar {
  template <class T>
  static void call(uint8_t* dst, T* src, AscendC::in_api::as_is<T> value, int32_t repeat,
                   uint16_t dst_block_stride, uint16_t src_block_stride, uint16_t dst_repeat_stride,
                   uint16_t src_repeat_stride) {
    AscendC::in_api::issue_compare_scalar(
        at(dst), at(src), value, mode, masked(repeat),
        Strides(dst_block_stride, src_block_stride, dst_repeat_stride, src_repeat_stride));
  }
};

// By the bits of CMPMASK, the same for each repeat.
struct Selection {
  template <class T>
  static void make(T* dst, T* src0, T* src1, const Lanes& lanes,
                   const AscendC::BinaryRepeatParams& strides) {
    SelectRecord record = AscendC::in_api::select_record(
        at(dst), at(src0), AscendC::SELMODE::VSEL_CMPMASK_SPR, lanes, strides);
    record.src1 = at(src1).operand();
    issue(record);
  }
  template <class T>
  static void call(T* dst, T* src0, T* src1, uint32_t count) {
    make(dst, src0, src1, lanes_count(count), {});
  }
  template <class T>
  static void call(T* dst, T* src0, T* src1, int32_t repeat, uint16_t dst_block_stride,
                   uint16_t src0_block_stride, uint16_t src1_block_stride,
                   uint16_t dst_repeat_stride, uint16_t src0_repeat_stride,
                   uint16_t src1_repeat_stride) {
    make(dst, src0, src1, masked(repeat),
         {dst_block_stride, src0_block_stride, src1_block_stride, dst_repeat_stride,
          src0_repeat_stride, src1_repeat_stride});
  }
};

}  // namespace vinci::asc

#define VINCI_ASC_COMPARISON(name, MODE)              \
  VINCI_ASC(name, Comparison<AscendC::CMPMODE::MODE>) \
  VINCI_ASC(name##_scalar, ComparisonWithScalar<AscendC::CMPMODE::MODE>)
VINCI_ASC_COMPARISON(eq, EQ)
VINCI_ASC_COMPARISON(ne, NE)
VINCI_ASC_COMPARISON(lt, LT)
VINCI_ASC_COMPARISON(le, LE)
VINCI_ASC_COMPARISON(gt, GT)
VINCI_ASC_COMPARISON(ge, GE)
#undef VINCI_ASC_COMPARISON
VINCI_ASC(select, Selection)

inline void asc_get_cmp_mask(__ubuf__ void* dst) {
  AscendC::GetCmpMask(vinci::asc::at(static_cast<uint8_t*>(dst)));
}
inline void asc_set_cmp_mask(__ubuf__ void* sel_mask) {
  AscendC::SetCmpMask(vinci::asc::at(static_cast<uint8_t*>(sel_mask)));
}
