// What ShiftLeft and ShiftRight share: their types, and the rule about the amount.
#pragma once

#include "isa/family/arithmetic.h"

namespace vinci::vector {

inline constexpr Signature kShiftTypes[] = {DType::kInt16, DType::kUint16, DType::kInt32,
                                            DType::kUint32};
inline constexpr Support kShiftSupport[] = {{kArch2002Vector | kArch2201 | kArch3002, kShiftTypes}};

inline bool is_signed(const ElementwiseRecord& record) {
  return record.dst.dtype == DType::kInt16 || record.dst.dtype == DType::kInt32;
}

// 0 to the number of bits: all of them may be shifted out.
inline void check_shift(const ElementwiseRecord& record, Check& check) {
  const unsigned bits = bits_of(record.dst.dtype);
  const unsigned unused = 64 - bits;
  check.range(
      "scalarValue",
      is_signed(record) ? int64_t(record.scalar << unused) >> unused : int64_t(record.scalar), 0,
      bits);
}

}  // namespace vinci::vector
