// Bits of numbers.
#pragma once

#include "ascendc/scalar.h"

inline int64_t asc_ffs(uint64_t value) { return AscendC::ScalarGetSFFValue<1>(value); }
inline int64_t asc_ffz(uint64_t value) { return AscendC::ScalarGetSFFValue<0>(value); }
inline int64_t asc_popc(uint64_t value) { return AscendC::ScalarGetCountOfValue<1>(value); }
inline int64_t asc_zero_bits_cnt(uint64_t value) {
  return AscendC::ScalarGetCountOfValue<0>(value);
}
inline int64_t asc_clz(uint64_t value_in) { return AscendC::ScalarCountLeadingZero(value_in); }
inline int64_t asc_sflbits(int64_t value) { return AscendC::CountBitsCntSameAsSignBit(value); }
inline uint64_t asc_set_nthbit(uint64_t bits, int64_t idx) { return bits | uint64_t(1) << idx; }
inline uint64_t asc_clear_nthbit(uint64_t bits, int64_t idx) {
  return bits & ~(uint64_t(1) << idx);
}
