// Sums and extremes of datablocks, pairs and repeats.
#pragma once

#include "ascendc/reduce.h"
#include "c_api/call.h"

namespace vinci::asc {

// Of repeats alone; the elements that a count says are one repeat in Counter mode.
template <const Instruction& instruction,
          AscendC::ReduceOrder order = AscendC::ReduceOrder::ORDER_VALUE_INDEX>
struct Reduction {
  template <class T>
  static void call(T* dst, T* src, int32_t repeat, uint16_t dst_repeat_stride,
                   uint16_t src_block_stride, uint16_t src_repeat_stride) {
    AscendC::in_api::issue_reduce(instruction, at(dst), at(src), masked(repeat), dst_repeat_stride,
                                  src_block_stride, src_repeat_stride, order);
  }
  template <class T>
  static void call(T* dst, T* src, uint32_t count) {
    AscendC::SetMaskCount();
    AscendC::SetVectorMask<T, AscendC::MaskMode::COUNTER>(0, count);
    call(dst, src, 1, 1, 1, 8);
    AscendC::SetMaskNorm();
    AscendC::ResetMask();
  }
};

}  // namespace vinci::asc

VINCI_ASC(datablock_reduce_max, Reduction<vinci::isa::block_reduce_max>)
VINCI_ASC(datablock_reduce_min, Reduction<vinci::isa::block_reduce_min>)
VINCI_ASC(datablock_reduce_sum, Reduction<vinci::isa::block_reduce_sum>)
VINCI_ASC(pair_reduce_sum, Reduction<vinci::isa::pair_reduce_sum>)
VINCI_ASC(repeat_reduce_sum, Reduction<vinci::isa::whole_reduce_sum>)

#define VINCI_ASC_ORDER(name, suffix, ORDER) \
  VINCI_ASC(repeat_reduce_##name##_##suffix, \
            Reduction<vinci::isa::whole_reduce_##name, AscendC::ReduceOrder::ORDER>)
// And what the last one found in all its repeats.
#define VINCI_ASC_EXTREME(name)                                             \
  VINCI_ASC_ORDER(name, value_index, ORDER_VALUE_INDEX)                     \
  VINCI_ASC_ORDER(name, index_value, ORDER_INDEX_VALUE)                     \
  VINCI_ASC_ORDER(name, only_value, ORDER_ONLY_VALUE)                       \
  VINCI_ASC_ORDER(name, only_index, ORDER_ONLY_INDEX)                       \
  template <class T>                                                        \
  void asc_get_reduce_##name##_cnt(T& val, uint32_t& index) {               \
    val = AscendC::in_api::reduced_value<T>(vinci::reduced_extreme(index)); \
  }
VINCI_ASC_EXTREME(max)
VINCI_ASC_EXTREME(min)
#undef VINCI_ASC_EXTREME
#undef VINCI_ASC_ORDER
