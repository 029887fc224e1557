// Elements and datablocks inside UB in other places, under the small names that kernels of older
// style call: on pointers into UB, each the call of Ascend C that it names. Offsets count bytes.
#pragma once

#include "ascendc/gather.h"
#include "ascendc/sort.h"
#include "ascendc/transpose.h"
#include "ascendc/vector_intrinsic.h"

// Registers of eight addresses.
enum ub_addr8_t : uint8_t { VA0, VA1, VA2, VA3, VA4, VA5, VA6, VA7 };

namespace AscendC::in_api {

// GatherMask with the bits of src1, where `pattern` is 0.
template <class T>
void choose_elements(T* dst, T* src0, T* src1, uint8_t pattern, vinci::CountedElements counted,
                     const GatherMaskParams& params) {
  vinci::GatherMaskRecord record{};
  record.dst = ub_at(dst);
  record.src = ub_at(src0);
  record.fixed = pattern;
  if (pattern == 0) record.pattern = ub_at(src1);
  issue_gather_mask(record, counted.by_mask, counted.count, params);
}

// Sixteen datablocks, whose addresses a register and the one behind it have.
template <class T>
void scatter_blocks(const char* api, ub_addr8_t dst, ub_addr8_t src,
                    const TransDataTo5HDParams& params) {
  uint64_t to[16], from[16];
  if (!vinci::read_address_registers(api, dst, to)) return;
  if (!vinci::read_address_registers(api, src, from)) return;
  TransDataTo5HD<T>(to, from, params);
}

}  // namespace AscendC::in_api

// With the lanes of MASK: Gather of elements, and of datablocks, which MASK does not count for.
template <class T>
void vgather(__ubuf__ T* dst, __ubuf__ uint32_t* src, uint32_t offsetAddr, uint16_t dstRepeatStride,
             uint8_t repeat) {
  using namespace AscendC::in_api;
  vinci::issue(vinci::GatherRecord{{&vinci::isa::gather},
                                   ub_at(dst),
                                   tensor_at<T>(offsetAddr),
                                   ub_at(src),
                                   0,
                                   vinci::lanes_continuous(0, repeat, false),
                                   {1, dstRepeatStride}});
}
template <class T>
void vgatherb(__ubuf__ T* dst, __ubuf__ uint32_t* src, uint32_t offsetAddr,
              uint16_t dstRepeatStride, uint8_t dstBlockStride, uint8_t repeat) {
  using namespace AscendC::in_api;
  AscendC::GatherRepeatParams strides;
  strides.dstBlkStride = dstBlockStride;
  strides.dstRepStride = dstRepeatStride;
  AscendC::Gatherb(ub_tensor_at(dst), AscendC::LocalTensor<T>(tensor_at<T>(offsetAddr)),
                   ub_tensor_at(src), repeat, strides);
}

// GatherMask: what bits of src1, or the pattern 1..7, choose of src0. In Counter mode MASK says of
// how many elements.
template <class T>
void vreducev2(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint16_t repeat,
               uint8_t src0BlockStride, uint8_t patternMode, uint16_t src0RepeatStride,
               uint8_t src1RepeatStride) {
  using namespace AscendC::in_api;
  choose_elements(dst, src0, src1, patternMode, vinci::counted_elements(),
                  {src0BlockStride, repeat, src0RepeatStride, src1RepeatStride});
}
// How many elements the last one chose.
inline int64_t get_rsvd_cnt() { return int64_t(vinci::gathered_count()); }

// Sort32, and MrgSort of the queues that `config` names: bits 0..7 the repeats, 8..11 a bit for
// each queue, 12 to stop when one is empty. `lengths`: four times 16 bits.
template <class T>
void vbitsort(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ uint32_t* src1, uint8_t repeat) {
  using namespace AscendC::in_api;
  AscendC::Sort32(ub_tensor_at(dst), ub_tensor_at(src0), ub_tensor_at(src1), repeat);
}
template <class T>
void vmrgsort4(__ubuf__ T* dst, __ubuf__ T* src[4], uint64_t lengths, uint64_t config) {
  if (config >> 13 != 0) {
    vinci::bad_argument("vmrgsort4", "config", int64_t(config), "bits 0..12");
    return;
  }
  const auto valid = uint16_t(config >> 8 & 15);
  const auto queue = [&](int i) {
    return (valid >> i & 1) != 0 ? AscendC::in_api::ub_tensor_at(src[i])
                                 : AscendC::LocalTensor<T>();
  };
  uint16_t of_queue[4];
  for (int i = 0; i < 4; ++i) of_queue[i] = uint16_t(lengths >> 16 * i);
  AscendC::MrgSort(
      AscendC::in_api::ub_tensor_at(dst),
      AscendC::MrgSortSrcList<T>(queue(0), queue(1), queue(2), queue(3)),
      AscendC::MrgSort4Info(of_queue, (config >> 12 & 1) != 0, valid, uint16_t(config & 255)));
}
// How many elements of each queue the last one took, 16 bits each.
inline uint64_t get_vms4_sr() {
  uint64_t counts = 0;
  for (int i = 0; i < 4; ++i) counts |= uint64_t(vinci::merged_count(i)) << 16 * i;
  return counts;
}

// Transpose of 16 x 16 elements, and TransDataTo5HD between what address registers point to.
template <class T>
void vtranspose(__ubuf__ T* dst, __ubuf__ T* src) {
  AscendC::Transpose(AscendC::in_api::ub_tensor_at(dst), AscendC::in_api::ub_tensor_at(src));
}
inline void set_va_reg_sb(ub_addr8_t addr, uint64_t* array) {
  vinci::set_address_register(addr, array);
}
template <class = void>
void scatter_vnchwconv_b8(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat, uint16_t dstStride,
                          uint16_t srcStride, bool dstHighHalf, bool srcHighHalf) {
  AscendC::in_api::scatter_blocks<uint8_t>(
      "scatter_vnchwconv_b8", dst, src, {dstHighHalf, srcHighHalf, repeat, dstStride, srcStride});
}
template <class = void>
void scatter_vnchwconv_b16(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat, uint16_t dstStride,
                           uint16_t srcStride) {
  AscendC::in_api::scatter_blocks<uint16_t>("scatter_vnchwconv_b16", dst, src,
                                            {false, false, repeat, dstStride, srcStride});
}
template <class = void>
void scatter_vnchwconv_b32(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat, uint16_t dstStride,
                           uint16_t srcStride) {
  AscendC::in_api::scatter_blocks<uint32_t>("scatter_vnchwconv_b32", dst, src,
                                            {false, false, repeat, dstStride, srcStride});
}
