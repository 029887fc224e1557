// Windows that a convolution's kernel sees of a map, from GM through L1 to L0: rows of the matrix
// that a product takes.
#pragma once

#include "core/core.h"
#include "isa/operator/conv3d_tiling.h"
#include "isa/operator/tile.h"

namespace vinci::isa {

// In GM: [slices, planes, lines, columns, C0]. Windows may see its elements apart, with 0 between
// them: element i of an axis is at i * gap - first of what they see.
struct Conv3dMap {
  struct Spread {
    int64_t gap = 1, first = 0;
  };
  Operand memory;
  int64_t planes = 0, lines = 0, columns = 0;
  Conv3dAxis h, w;  // as windows see it
  Spread spread_h, spread_w;

  // Rows of the matrix that a line of windows makes.
  int64_t row_line() const { return w.positions(); }
};

// The input of a convolution, as it lies in memory.
Conv3dMap input_map(const Operand& memory, const Conv3dShape& shape);
// The gradient of its output, as the gradient of its input sees it.
Conv3dMap spread_map(const Operand& memory, const Conv3dShape& shape);

class Conv3dWindows {
 public:
  // Rows of the matrix, and what of a plane they need.
  struct Rows {
    int64_t m;       // the first row
    uint32_t count;  // of them
    uint32_t lead;   // rows before them, where a 3D load begins
    // Lines of the map from y on, none if all is padding, and padding around them.
    int64_t y, lines;
    uint8_t top, bottom;
    uint32_t loaded() const;
  };
  struct Planes {
    int64_t slice, first, count;
  };
  // Of the matrix, as a 3D load takes it from what is in L1.
  struct Block {
    int64_t first_row;  // from the first line on
    uint32_t rows;
    int64_t k, k_blocks;  // columns of C0, from the first plane on
  };

  Conv3dWindows(const Conv3dMap& map, Core& core) : map_(map), core_(core) {}

  Rows rows_at(int64_t m, uint32_t count) const;
  // Bytes of a plane that these rows need.
  uint64_t plane_bytes(const Rows& rows) const;
  // Lines of the planes, one plane after the other.
  void to_l1(const Rows& rows, Planes planes, const Operand& l1) const;
  // `planes` of them are in L1.
  void to_l0(const Rows& rows, int64_t planes, const Block& block, const Operand& l1,
             const Operand& l0) const;

 private:
  void copy_spread(const Rows& rows, uint64_t from, const Operand& l1) const;

  const Conv3dMap& map_;
  Core& core_;
};

}  // namespace vinci::isa
