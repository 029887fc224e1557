// Between GM and UB, and inside UB.
#pragma once

#include <type_traits>

#include "ascendc/data_copy_pad.h"
#include "c_api/call.h"

namespace vinci::asc {

struct IntoUb {
  static Operand dst(void* pointer) { return AscendC::in_api::ub_at(pointer); }
  static Operand src(void* pointer) { return AscendC::in_api::gm_at(pointer, DType::kUint8); }
};
struct OutOfUb {
  static Operand dst(void* pointer) {
    return AscendC::in_api::combined(AscendC::in_api::gm_at(pointer, DType::kUint8));
  }
  static Operand src(void* pointer) {
    return AscendC::in_api::combined(AscendC::in_api::ub_at(pointer));
  }
};
struct InsideUb {
  static Operand dst(void* pointer) { return AscendC::in_api::ub_at(pointer); }
  static Operand src(void* pointer) { return AscendC::in_api::ub_at(pointer); }
};

// Bursts of datablocks, or so many bytes, which are whole datablocks.
template <class Way>
struct Copy {
  static void call(void* dst, void* src, uint16_t n_burst, uint16_t len_burst, uint16_t src_gap,
                   uint16_t dst_gap) {
    AscendC::in_api::copy_bursts(Way::dst(dst), Way::src(src),
                                 {n_burst, len_burst, src_gap, dst_gap});
  }
  static void call(void* dst, void* src, uint32_t size) {
    const Operand to = Way::dst(dst);
    AscendC::in_api::copy_count(to, Way::src(src), uint32_t(size / bytes_of(to.dtype, 1)));
  }
};
// Bursts of bytes: the gap in UB counts datablocks, in GM bytes. Doubles are no element type of a
// copy, and are moved as words of their size.
template <class Way>
struct CopyAligned {
  template <class T>
  static void call(T* dst, T* src, uint16_t n_burst, uint32_t len_burst, uint8_t left_padding_num,
                   uint8_t right_padding_num, uint32_t src_gap, uint32_t dst_gap) {
    using Element = std::conditional_t<std::is_same_v<T, double>, uint64_t, T>;
    AscendC::in_api::copy_aligned<Element>(Way::dst(dst), Way::src(src), n_burst, len_burst,
                                           left_padding_num, right_padding_num, src_gap, dst_gap);
  }
  template <class T>
  static void call(T* dst, T* src, uint32_t size) {
    call(dst, src, 1, size, 0, 0, 0, 0);
  }
};

}  // namespace vinci::asc

VINCI_ASC(copy_gm2ub, Copy<vinci::asc::IntoUb>)
VINCI_ASC(copy_ub2gm, Copy<vinci::asc::OutOfUb>)
VINCI_ASC(copy_ub2ub, Copy<vinci::asc::InsideUb>)
VINCI_ASC(copy_gm2ub_align, CopyAligned<vinci::asc::IntoUb>)
VINCI_ASC(copy_ub2gm_align, CopyAligned<vinci::asc::OutOfUb>)

// What asc_copy_gm2ub_align puts beside its bursts.
template <class T>
void asc_set_copy_pad_val(T pad_value) {
  AscendC::SetPadValue(pad_value);
}
