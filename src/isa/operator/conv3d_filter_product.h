// Tiles of the gradient of a convolution's weights: loads, products and results, with the flags
// between their pipes.
#pragma once

#include <optional>

#include "isa/operator/conv3d_windows.h"
#include "isa/operator/product_steps.h"
#include "vinci/record/conv3d_backprop.h"

namespace vinci::isa {

// A is a slice of the gradient of the output, transposed: channels x rows. B are the windows of the
// slice of the input that it meets: rows x columns, of which a block is C0 channels at a point of
// the kernel. Rows are elements of the output, line by line.
class Conv3dFilterProduct {
 public:
  // Channels of the output, and blocks of columns.
  struct Tile {
    int64_t number;  // of the object
    int64_t m, n;    // the first of the core's
    uint32_t channels, blocks;
    uint32_t loaded() const;  // whole blocks of channels
  };

  // For a record that is legal.
  Conv3dFilterProduct(const Conv3dBpFilterRecord& record, Core& core);

  int64_t tiles() const;
  // Whether the kernel has left memory and event identifiers; if not, it has been told.
  bool has_room();
  Tile tile_at(int64_t number) const;
  void multiply(const Tile& tile);
  void write(const Tile& tile);
  // The sums of this tile are in L0C.
  bool is_kept(const Tile& tile) const;
  // Behind all tiles.
  void end() { flags_->release(); }

 private:
  using Flag = ProductFlags::Index;

  // Of a tile: blocks of a plane of the input, `first` the first in it; behind others in L0C.
  struct PlaneBlocks {
    int64_t plane, first;
    uint32_t blocks, before;
  };

  void multiply_lines(const Tile& tile, int64_t line, int64_t lines, bool adds);
  void multiply_plane(const Tile& tile, const Conv3dWindows::Rows& rows, const PlaneBlocks& part,
                      bool adds);
  void load_gradient(const Tile& tile, const Conv3dWindows::Rows& rows);
  void load_a(const Tile& tile, const Conv3dWindows::Rows& rows, uint32_t k, uint32_t count);
  void multiply_zeros(const Tile& tile);
  void issue_mmad(const Tile& tile, uint32_t before, uint32_t blocks, uint32_t k, bool adds);
  uint64_t l1_bytes(int64_t lines) const;

  const Conv3dBpFilterRecord& r_;
  const Conv3dBpFilterTilingData& t_;
  Conv3dShape shape_;
  Core& core_;
  Conv3dMap map_;
  Conv3dWindows windows_;
  int64_t points_, line_;      // positions of the kernel in a plane, rows to a line
  int64_t channels_, blocks_;  // of the core
  int64_t lines_ = 0;          // that L1 holds
  Operand gradient_, input_, l0a_, l0b_, l0c_;
  std::optional<ProductFlags> flags_;
};

}  // namespace vinci::isa
