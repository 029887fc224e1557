// How DataCopy walks L0C and UB: bursts of units, where a unit is a fractal of 16x16 elements
// (MATRIX) or the first row of one, 16 elements (VECTOR).
//
//   unit u of burst b   in L0C: fractal b * (blockLen + gap) + u
//                       in UB:  byte b * (blockLen * unit + gap * 32) + u * unit
#pragma once

#include <cstdint>

#include "core/check.h"
#include "core/footprint.h"
#include "vinci/record/move.h"

namespace vinci::l0c {

inline constexpr uint64_t kRow = 16;  // elements of a fractal's row, and rows of a fractal
inline constexpr uint64_t kBlockBytes = 32;

// The two ends of a copy, whichever way it goes.
struct Ends {
  const Operand& l0c;
  const Operand& ub;
  uint16_t l0c_gap, ub_gap;
};

struct Units {
  uint64_t rows;       // of a unit
  uint64_t fractal;    // bytes in L0C, of which a unit takes the first `rows` rows
  uint64_t l0c_row;    // bytes
  uint64_t ub_row;     // bytes from row to row in UB
  uint64_t l0c_burst;  // bytes from burst to burst
  uint64_t ub_burst;
};

// `ub_row`: bytes from row to row in UB.
inline Units units_of(const DataCopyL0CRecord& record, const Ends& ends, uint64_t ub_row) {
  const bool whole = record.enhanced.block_mode == EnhancedCopy::BlockMode::kMatrix;
  Units units{};
  units.rows = whole ? kRow : 1;
  units.l0c_row = bytes_of(ends.l0c.dtype, kRow);
  units.fractal = kRow * units.l0c_row;
  units.ub_row = ub_row;
  units.l0c_burst = (uint64_t(record.bursts.length) + ends.l0c_gap) * units.fractal;
  units.ub_burst = record.bursts.length * units.rows * ub_row + ends.ub_gap * kBlockBytes;
  return units;
}

// Rules for both ways.
void check_units(const DataCopyL0CRecord& record, Check& check, const Ends& ends);

// What is touched at both ends; of each row in UB the `ub_bytes` bytes from `ub_start` on.
void add_units(const DataCopyL0CRecord& record, const Ends& ends, const Units& units,
               uint64_t ub_start, uint64_t ub_bytes, Footprint& footprint);

// Calls unit(burst, byte offset in L0C, byte offset in UB).
template <class F>
void for_each_unit(const DataCopyL0CRecord& record, const Units& units, F unit) {
  for (uint64_t b = 0; b < record.bursts.blocks; ++b) {
    for (uint64_t u = 0; u < record.bursts.length; ++u) {
      unit(b, b * units.l0c_burst + u * units.fractal,
           b * units.ub_burst + u * units.rows * units.ub_row);
    }
  }
}

}  // namespace vinci::l0c
