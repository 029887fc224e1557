// Conversions without a scale, as Cast and TIK's vec_conv do them.
#pragma once

#include "isa/family/walk.h"
#include "numeric/convert_array.h"

namespace vinci::vector {

inline Signature conversion_signature(const CastRecord& record) {
  return {record.dst.dtype, record.src0.dtype, set_of(record.round)};
}

// The core's modes say what becomes of results that their type cannot hold.
inline void convert_rows(const CastRecord& record, const Core& core, const LaneRows& rows) {
  const OverflowModes& modes = core.registers().overflow;
  const bool to_float = record.dst.dtype == DType::kHalf || record.dst.dtype == DType::kBfloat16;
  const bool saturates = to_float ? modes.floats_saturate : !modes.casts_keep_low_bits;
  const ConvertArray convert =
      convert_array(record.dst.dtype, record.src0.dtype, record.round,
                    saturates ? Overflow::kSaturate : Overflow::kWrapOrInf);
  rows.for_each(
      [&](const LaneArrays& arrays) { convert(arrays.src[0], arrays.dst, arrays.count); });
}

}  // namespace vinci::vector
