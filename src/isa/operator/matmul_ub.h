// What a Matmul does through UB on cores whose L0C has no way to GM and which have no bias
// table: results go out, and biases and scales come in.
#pragma once

#include "core/core.h"
#include "vinci/record/matmul.h"

namespace vinci::isa {

class MatmulUb {
 public:
  MatmulUb(const MatmulRecord& record, Core& core) : r_(record), core_(core) {}

  // Of one tile.
  struct Size {
    uint32_t rows, columns;
  };

  // Whether there is room in UB; if not, the kernel has been told.
  bool has_room();
  // L1 becomes 0.
  void clear(const Operand& l1) const;
  // All rows of a tile in L0C become the bias, which lies at the start of `l1`, filled up with 0.
  void spread_bias(const Size& tile, const Operand& l1, const Operand& l0c) const;
  void take_scales(const Size& tile, const Operand& l1) const;
  // A tile out of L0C. `dst`: its first element; `pitch`: of ND elements from row to row, of NZ
  // rows of a column.
  void write(const Size& tile, const Operand& l0c, const Operand& dst, uint32_t pitch) const;

 private:
  // Rows of a block of columns.
  struct Piece {
    uint32_t block, row, rows;
  };

  uint32_t columns_of_block() const;
  uint64_t row_bytes() const;
  void convert(const Size& tile, const Piece& piece, const Operand& l0c, const Operand& to) const;
  void copy_out(const Size& tile, const Piece& piece, const Operand& dst, uint32_t pitch) const;
  void wait() const { core_.drain_pipes(); }

  const MatmulRecord& r_;
  Core& core_;
  Operand scales_, bias_, stage_;
};

}  // namespace vinci::isa
