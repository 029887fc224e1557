// From one element type to another.
#pragma once

#include "ascendc/cast.h"
#include "c_api/call.h"

namespace vinci::asc {

template <AscendC::RoundMode mode>
struct Conversion {
  template <class T, class U>
  static void make(T* dst, U* src, const Lanes& lanes, const Strides& strides) {
    AscendC::in_api::issue_cast(at(dst), at(src), mode, lanes, strides);
  }
};
// Times the scale of asc_set_deq_scale, plus its offset; of each datablock of dst one half is
// filled.
template <bool by_lane, bool high_half>
struct Dequantisation {
  template <class T, class U>
  static void make(T* dst, U* src, const Lanes& lanes, const Strides& strides) {
    AscendC::in_api::issue_cast_dequant(at(dst), at(src), by_lane, high_half, lanes, strides);
  }
};

}  // namespace vinci::asc

#define VINCI_ASC_CONVERSION(name, MODE) \
  VINCI_ASC(name, From<vinci::asc::Conversion<AscendC::RoundMode::MODE>>)
// To the nearest even number, away from zero in the middle, down, up, towards zero.
#define VINCI_ASC_CONVERSIONS(name)            \
  VINCI_ASC_CONVERSION(name##_rn, CAST_RINT)   \
  VINCI_ASC_CONVERSION(name##_rna, CAST_ROUND) \
  VINCI_ASC_CONVERSION(name##_rd, CAST_FLOOR)  \
  VINCI_ASC_CONVERSION(name##_ru, CAST_CEIL)   \
  VINCI_ASC_CONVERSION(name##_rz, CAST_TRUNC)
VINCI_ASC_CONVERSIONS(bfloat162int32)
VINCI_ASC_CONVERSIONS(float2bfloat16)
VINCI_ASC_CONVERSIONS(float2float)
VINCI_ASC_CONVERSIONS(float2half)
VINCI_ASC_CONVERSIONS(float2int16)
VINCI_ASC_CONVERSIONS(float2int32)
VINCI_ASC_CONVERSIONS(float2int64)
VINCI_ASC_CONVERSIONS(half2int16)
VINCI_ASC_CONVERSIONS(half2int32)
VINCI_ASC_CONVERSIONS(half2int4)
VINCI_ASC_CONVERSIONS(half2int8)
VINCI_ASC_CONVERSIONS(half2uint8)
VINCI_ASC_CONVERSIONS(int162half)
VINCI_ASC_CONVERSIONS(int322float)
VINCI_ASC_CONVERSIONS(int642float)
VINCI_ASC_CONVERSION(bfloat162float, CAST_NONE)
VINCI_ASC_CONVERSION(float2half, CAST_NONE)
VINCI_ASC_CONVERSION(half2float, CAST_NONE)
VINCI_ASC_CONVERSION(half2int4, CAST_NONE)
VINCI_ASC_CONVERSION(half2int8, CAST_NONE)
VINCI_ASC_CONVERSION(half2uint8, CAST_NONE)
VINCI_ASC_CONVERSION(int162float, CAST_NONE)
VINCI_ASC_CONVERSION(int162half, CAST_NONE)
VINCI_ASC_CONVERSION(int322float, CAST_NONE)
VINCI_ASC_CONVERSION(int322int16, CAST_NONE)
VINCI_ASC_CONVERSION(int322int64, CAST_NONE)
VINCI_ASC_CONVERSION(int42half, CAST_NONE)
VINCI_ASC_CONVERSION(int642int32, CAST_NONE)
VINCI_ASC_CONVERSION(int82half, CAST_NONE)
VINCI_ASC_CONVERSION(uint82half, CAST_NONE)
VINCI_ASC_CONVERSION(float2half_ro, CAST_ODD)
#undef VINCI_ASC_CONVERSIONS
#undef VINCI_ASC_CONVERSION

VINCI_ASC(deq_int162b8_h, From<vinci::asc::Dequantisation<false, true>>)
VINCI_ASC(deq_int162b8_l, From<vinci::asc::Dequantisation<false, false>>)
VINCI_ASC(vdeq_int162b8_h, From<vinci::asc::Dequantisation<true, true>>)
VINCI_ASC(vdeq_int162b8_l, From<vinci::asc::Dequantisation<true, false>>)
VINCI_ASC(deq_int322half, From<vinci::asc::Dequantisation<false, false>>)

inline constexpr int ASC_VDEQ_SIZE = 16;

inline void asc_set_deq_scale(half scale) { AscendC::SetDeqScale(scale); }
inline void asc_set_deq_scale(float scale, int16_t offset, bool sign_mode) {
  AscendC::SetDeqScale(scale, offset, sign_mode);
}
// One for each lane of a datablock; `tmp` keeps them.
inline void asc_set_deq_scale(__ubuf__ uint64_t* tmp, float scale_arr[ASC_VDEQ_SIZE],
                              int16_t offset_arr[ASC_VDEQ_SIZE],
                              bool sign_mode_arr[ASC_VDEQ_SIZE]) {
  AscendC::SetDeqScale(vinci::asc::at(tmp),
                       AscendC::VdeqInfo(scale_arr, offset_arr, sign_mode_arr));
}
