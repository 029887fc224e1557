// Elements and datablocks inside UB in other places: copied, gathered, sorted, transposed.
#pragma once

#include "ascendc/copy.h"
#include "ascendc/rearrangement_intrinsic.h"
#include "c_api/call.h"

inline constexpr int ASC_C_API_MRGSORT_ELEMENT_LEN = 4;

namespace vinci::asc {

struct EnabledElements {
  template <class T>
  static void make(T* dst, T* src, const Lanes& lanes, const Strides& strides) {
    AscendC::in_api::issue_copy(
        at(dst), at(src), lanes,
        {strides.dstBlkStride, strides.srcBlkStride, strides.dstRepStride, strides.srcRepStride});
  }
};

struct Brcb {
  template <class T>
  static void call(T* dst, T* src, uint16_t dst_block_stride, uint16_t dst_repeat_stride,
                   uint8_t repeat) {
    AscendC::Brcb(at(dst), at(src), repeat, {dst_block_stride, dst_repeat_stride});
  }
};

struct Gather {
  template <class T>
  static void make(T* dst, T* src, uint32_t* src_offset, const Lanes& lanes, Stride stride) {
    issue(GatherRecord{{&isa::gather},
                       at(dst).operand(),
                       at(src).operand(),
                       at(src_offset).operand(),
                       0,
                       lanes,
                       stride});
  }
  template <class T>
  static void call(T* dst, T* src, uint32_t* src_offset, uint32_t count) {
    make(dst, src, src_offset, lanes_count(count), {});
  }
  template <class T>
  static void call(T* dst, T* src, uint32_t* src_offset, uint16_t dst_repeat_stride,
                   int32_t repeat) {
    make(dst, src, src_offset, masked(repeat), {1, dst_repeat_stride});
  }
};
struct GatherBlocks {
  template <class T>
  static void call(T* dst, T* src, uint32_t* src_offset, uint16_t dst_repeat_stride,
                   uint8_t dst_block_stride, int32_t repeat) {
    AscendC::GatherRepeatParams strides;
    strides.dstBlkStride = dst_block_stride;
    strides.dstRepStride = dst_repeat_stride;
    AscendC::Gatherb(at(dst), at(src), at(src_offset), repeat, strides);
  }
};

// What bits of src1, or a fixed pattern, choose of src0: GatherMask.
struct ChosenElements {
  template <class T>
  static void call(T* dst, T* src0, T* src1, uint32_t count) {
    AscendC::in_api::choose_elements(dst, src0, src1, 0, {true, count}, {1, 1, 8, 8});
  }
  template <class T>
  static void call(T* dst, T* src0, T* src1, uint16_t repeat, uint8_t src0_block_stride,
                   uint8_t pattern_mode, uint16_t src0_repeat_stride, uint8_t src1_repeat_stride) {
    vreducev2(dst, src0, src1, repeat, src0_block_stride, pattern_mode, src0_repeat_stride,
              src1_repeat_stride);
  }
};

struct Sort {
  template <class T>
  static void call(T* dst, T* src0, uint32_t* src1, int32_t repeat) {
    AscendC::Sort32(at(dst), at(src0), at(src1), repeat);
  }
};
// Of the four queues those that valid_bit names.
struct Merge {
  template <class T>
  static void call(T* dst, T** src, uint16_t repeat, uint16_t element_length_0,
                   uint16_t element_length_1, uint16_t element_length_2, uint16_t element_length_3,
                   bool if_exhausted_suspension, uint8_t valid_bit) {
    const auto queue = [&](int i) {
      return (valid_bit >> i & 1) != 0 ? at(src[i]) : AscendC::LocalTensor<T>();
    };
    const uint16_t lengths[] = {element_length_0, element_length_1, element_length_2,
                                element_length_3};
    AscendC::MrgSort(at(dst), AscendC::MrgSortSrcList<T>(queue(0), queue(1), queue(2), queue(3)),
                     AscendC::MrgSort4Info(lengths, if_exhausted_suspension, valid_bit, repeat));
  }
};

struct Square {
  template <class T>
  static void call(T* dst, T* src) {
    AscendC::Transpose(at(dst), at(src));
  }
};
// Sixteen datablocks, whose addresses a register and the one behind it have.
template <class T>
struct Blocks {
  static void call(ub_addr8_t dst, ub_addr8_t src, uint16_t repeat, uint16_t dst_stride,
                   uint16_t src_stride, bool dst_high_half = false, bool src_high_half = false) {
    AscendC::in_api::scatter_blocks<T>(
        "asc_transto5hd", dst, src, {dst_high_half, src_high_half, repeat, dst_stride, src_stride});
  }
};

}  // namespace vinci::asc

VINCI_ASC(copy, From<vinci::asc::EnabledElements>)
VINCI_ASC(brcb, Brcb)
VINCI_ASC(gather, Gather)
VINCI_ASC(gather_datablock, GatherBlocks)
VINCI_ASC(reduce, ChosenElements)
VINCI_ASC(bitsort, Sort)
VINCI_ASC(mrgsort4, Merge)
VINCI_ASC(transpose, Square)
VINCI_ASC(transto5hd_b8, Blocks<uint8_t>)
VINCI_ASC(transto5hd_b16, Blocks<uint16_t>)
VINCI_ASC(transto5hd_b32, Blocks<uint32_t>)

template <class T>
void asc_set_va_reg(ub_addr8_t addr, __ubuf__ T** src_array) {
  uint64_t addresses[8];
  for (int i = 0; i < 8; ++i) addresses[i] = reinterpret_cast<uint64_t>(src_array[i]);
  vinci::set_address_register(addr, addresses);
}
// How many elements the last asc_reduce chose.
inline int64_t asc_get_rsvd_count() { return int64_t(vinci::gathered_count()); }
// How many elements of each queue the last asc_mrgsort4 took.
inline void asc_get_vms4_sr(uint16_t sorted_num[ASC_C_API_MRGSORT_ELEMENT_LEN]) {
  for (int i = 0; i < ASC_C_API_MRGSORT_ELEMENT_LEN; ++i) sorted_num[i] = vinci::merged_count(i);
}
