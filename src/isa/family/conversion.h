// Conversions without a scale, as Cast and TIK's vec_conv do them.
#pragma once

#include "core/instruction.h"
#include "isa/family/walk.h"
#include "kernel/convert_array.h"

namespace vinci::vector {

// The sets of round modes that tables of types have.
namespace round_sets {
inline constexpr RoundSet kN = set_of(Round::kNone);
inline constexpr RoundSet kOdd = set_of(Round::kOdd);
inline constexpr RoundSet kR = set_of(Round::kRint);
inline constexpr RoundSet kThree = kR | set_of(Round::kFloor) | set_of(Round::kCeil);
inline constexpr RoundSet kFiveButRint =
    set_of(Round::kFloor) | set_of(Round::kCeil) | set_of(Round::kRound) | set_of(Round::kTrunc);
inline constexpr RoundSet kFive = kR | kFiveButRint;
}  // namespace round_sets

inline bool is_int32_to_half(const CastRecord& record) {
  return record.dst.dtype == DType::kHalf && record.src0.dtype == DType::kInt32;
}

inline Signature conversion_signature(const CastRecord& record) {
  return {record.dst.dtype, record.src0.dtype, set_of(record.round)};
}

// The core's modes say what becomes of results that their type cannot hold.
inline void convert_rows(const CastRecord& record, const State& state, const LaneRows& rows) {
  const OverflowModes& modes = state.registers.overflow;
  const bool to_float = record.dst.dtype == DType::kHalf || record.dst.dtype == DType::kBfloat16;
  const bool saturates = to_float ? modes.floats_saturate : !modes.casts_keep_low_bits;
  const ConvertArray convert =
      convert_array(record.dst.dtype, record.src0.dtype, record.round,
                    saturates ? Overflow::kSaturate : Overflow::kWrapOrInf);
  rows.for_each(
      [&](const LaneArrays& arrays) { convert(arrays.src[0], arrays.dst, arrays.count); });
}

}  // namespace vinci::vector
