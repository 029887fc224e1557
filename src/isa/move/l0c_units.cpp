// The rules and the footprint of copies between L0C and UB.
#include "isa/move/l0c_units.h"

#include <fmt/format.h>

namespace vinci::l0c {

void check_units(const DataCopyL0CRecord& record, Check& check, const Ends& ends) {
  using Mode = EnhancedCopy::BlockMode;
  const bool outwards = &ends.l0c == &record.src;
  check.in_space(outwards ? "src" : "dst", ends.l0c, Space::kL0C);
  check.in_space(outwards ? "dst" : "src", ends.ub, Space::kUb);
  if (!check.ok()) return;
  check.aligned(outwards ? "src" : "dst", ends.l0c, kRow * bytes_of(ends.l0c.dtype, kRow));
  check.aligned(outwards ? "dst" : "src", ends.ub);
  check.range("blockCount", record.bursts.blocks, 0, 4095);
  const Mode mode = record.enhanced.block_mode;
  if (mode != Mode::kMatrix && mode != Mode::kVector) {
    check.fail(Code::kRange,
               fmt::format("blockMode {} is not legal {} CO1", int(mode), outwards ? "from" : "to"),
               "BLOCK_MODE_MATRIX (1) or BLOCK_MODE_VECTOR (2)");
  }
  check.range("sidStoreMode", record.enhanced.sid_store_mode, 0, 2);
}

void add_units(const DataCopyL0CRecord& record, const Ends& ends, const Units& units,
               uint64_t ub_start, uint64_t ub_bytes, Footprint& footprint) {
  const bool outwards = &ends.l0c == &record.src;
  const uint64_t length = record.bursts.length, blocks = record.bursts.blocks;
  const bool whole = units.rows == kRow;
  footprint.add({ends.l0c, outwards ? "src" : "dst", outwards ? Access::kRead : Access::kWrite,
                 true, ends.l0c.address, (whole ? length * kRow : 1) * units.l0c_row,
                 whole ? 1 : length, int64_t(units.fractal), blocks, int64_t(units.l0c_burst)});
  const bool dense = ub_bytes == units.ub_row;
  const uint64_t rows = length * units.rows;
  footprint.add({ends.ub, outwards ? "dst" : "src", outwards ? Access::kWrite : Access::kRead, true,
                 ends.ub.address + ub_start, (dense ? rows : 1) * ub_bytes, dense ? 1 : rows,
                 int64_t(units.ub_row), blocks, int64_t(units.ub_burst)});
}

}  // namespace vinci::l0c
