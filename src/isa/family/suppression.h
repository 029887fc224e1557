// Suppression of region proposals, 16 at a time: rows of bits say whom each one suppresses.
#pragma once

#include "isa/family/sort.h"
#include "vinci/record/proposal.h"

namespace vinci::vector {

inline constexpr Signature kSuppressTypes[] = {DType::kUint16};
inline constexpr Support kSuppressSupport[] = {
    {kArch1000 | kArch1001 | kArch2002, kSuppressTypes, true, kTik}};
inline constexpr unsigned kSixteenBytes = kProposalsInRepeat * sizeof(uint16_t);
static_assert(kSixteenBytes == kBlockBytes);

inline Signature suppress_signature(const SuppressRecord& record) {
  return types_of(record.matrix.dtype, record.vector.dtype);
}

inline void add_suppressed(Footprint& footprint, Access access) {
  footprint.add_hidden(Space::kCells, "RPN_COR_IR", access, offsetof(Cells, suppressed),
                       sizeof(Cells::suppressed));
}

}  // namespace vinci::vector
