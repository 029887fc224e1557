// Conversions between element types: Cast, CastDequant, SetDeqScale.
#pragma once

#include "ascendc/vector.h"

namespace vinci::isa {
extern const Instruction cast, cast_dequant, set_deq_scale;
}  // namespace vinci::isa

namespace AscendC {

// How a result is rounded that its type cannot hold exactly.
enum class RoundMode {
  CAST_NONE = 0,  // exact; rounds as CAST_RINT if a digit is lost
  CAST_RINT,      // to nearest, ties to even
  CAST_FLOOR,
  CAST_CEIL,
  CAST_ROUND,  // to nearest, ties away from zero
  CAST_TRUNC,
  CAST_ODD,     // to the neighbour with an odd last digit
  CAST_HYBRID,  // of chips that vinci does not know
};

// A scale, an offset and the sign of the result for each of 16 lanes.
struct VdeqInfo {
  VdeqInfo() = default;
  VdeqInfo(const float scale[16], const int16_t offset[16], const bool sign[16]) {
    for (int i = 0; i < 16; ++i) {
      vdeqScale[i] = scale[i];
      vdeqOffset[i] = offset[i];
      vdeqSignMode[i] = sign[i];
    }
  }

  float vdeqScale[16] = {};
  int16_t vdeqOffset[16] = {};
  bool vdeqSignMode[16] = {};
};

namespace in_api {

// Widths differ: a full repeat of the wider element is 8 datablocks.
template <class T, class U>
void issue_cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, RoundMode mode,
                const vinci::Lanes& lanes, const UnaryRepeatParams& params) {
  auto record = unary_record<vinci::CastRecord>(vinci::isa::cast, dst, src, lanes, params);
  record.round = vinci::Round(mode);
  vinci::issue(record);
}

template <class T, class U>
void issue_cast_dequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, bool vector,
                        bool high_half, const vinci::Lanes& lanes,
                        const UnaryRepeatParams& params) {
  auto record =
      unary_record<vinci::CastDequantRecord>(vinci::isa::cast_dequant, dst, src, lanes, params);
  record.vector = vector;
  record.high_half = high_half;
  vinci::issue(record);
}

}  // namespace in_api

// dst[i] = src[i] in the type of dst.
template <class T, class U>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode,
          const uint32_t count) {
  in_api::issue_cast(dst, src, roundMode, vinci::lanes_count(count), {});
}
template <class T, class U, bool isSetMask = true>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode,
          const vinci::LaneBits& mask, const int32_t repeatTime,
          const UnaryRepeatParams& repeatParams) {
  in_api::issue_cast(dst, src, roundMode, vinci::lanes_bits(mask, repeatTime, isSetMask),
                     repeatParams);
}
template <class T, class U, bool isSetMask = true>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode,
          const uint64_t mask, const int32_t repeatTime, const UnaryRepeatParams& repeatParams) {
  in_api::issue_cast(dst, src, roundMode, vinci::lanes_continuous(mask, repeatTime, isSetMask),
                     repeatParams);
}

// The scale of later conversions from int32 to half.
inline void SetDeqScale(half scale) {
  vinci::SetDeqScaleRecord record{};
  record.instruction = &vinci::isa::set_deq_scale;
  record.form = vinci::SetDeqScaleRecord::Form::kHalf;
  record.half_bits = scale.bits;
  vinci::issue(record);
}
// The scale of later CastDequant with isVecDeq = false.
inline void SetDeqScale(float scale, int16_t offset, bool signMode) {
  vinci::SetDeqScaleRecord record{};
  record.instruction = &vinci::isa::set_deq_scale;
  record.form = vinci::SetDeqScaleRecord::Form::kWord;
  record.scales[0] = {scale, offset, signMode};
  vinci::issue(record);
}
// The scales of later CastDequant with isVecDeq = true: 16 words, which are kept in vdeqTensor.
template <class T>
void SetDeqScale(const LocalTensor<T>& vdeqTensor, const VdeqInfo& vdeqInfo) {
  vinci::SetDeqScaleRecord record{};
  record.instruction = &vinci::isa::set_deq_scale;
  record.form = vinci::SetDeqScaleRecord::Form::kTable;
  record.table = vdeqTensor.operand();
  for (int i = 0; i < 16; ++i) {
    record.scales[i] = {vdeqInfo.vdeqScale[i], vdeqInfo.vdeqOffset[i], vdeqInfo.vdeqSignMode[i]};
  }
  vinci::issue(record);
}

// int16 to int8 or uint8, or int32 to half, times the scale of SetDeqScale. Results of 8 bits fill
// one half of each datablock of dst, the upper one if halfBlock.
template <class T, class U, bool isVecDeq = true, bool halfBlock = true>
void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint32_t count) {
  in_api::issue_cast_dequant(dst, src, isVecDeq, halfBlock, vinci::lanes_count(count), {});
}
template <class T, class U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>
void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, const vinci::LaneBits& mask,
                 const int32_t repeatTime, const UnaryRepeatParams& repeatParams) {
  in_api::issue_cast_dequant(dst, src, isVecDeq, halfBlock,
                             vinci::lanes_bits(mask, repeatTime, isSetMask), repeatParams);
}
template <class T, class U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>
void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask,
                 const int32_t repeatTime, const UnaryRepeatParams& repeatParams) {
  in_api::issue_cast_dequant(
      dst, src, isVecDeq, halfBlock,
      vinci::lanes_continuous(uint64_t(int64_t(mask)), repeatTime, isSetMask), repeatParams);
}

// The older name of CastDequant.
template <class T, class U, bool isVecDeq = true, bool halfBlock = true>
void CastDeq(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint32_t count) {
  CastDequant<T, U, isVecDeq, halfBlock>(dst, src, count);
}
template <class T, class U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>
void CastDeq(const LocalTensor<T>& dst, const LocalTensor<U>& src, const vinci::LaneBits& mask,
             const int32_t repeatTime, const UnaryRepeatParams& repeatParams) {
  CastDequant<T, U, isSetMask, isVecDeq, halfBlock>(dst, src, mask, repeatTime, repeatParams);
}
template <class T, class U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>
void CastDeq(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask,
             const int32_t repeatTime, const UnaryRepeatParams& repeatParams) {
  CastDequant<T, U, isSetMask, isVecDeq, halfBlock>(dst, src, mask, repeatTime, repeatParams);
}

}  // namespace AscendC
