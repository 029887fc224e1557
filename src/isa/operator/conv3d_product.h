// Tiles of a Conv3D: loads, products and results, with the flags between their pipes.
#pragma once

#include <optional>

#include "isa/operator/conv3d_tiling.h"
#include "isa/operator/product_steps.h"
#include "isa/operator/tile.h"
#include "vinci/record/conv3d.h"

namespace vinci::isa {

class Conv3dProduct {
 public:
  // For a record that is legal.
  Conv3dProduct(const Conv3dRecord& record, Core& core);

  // Whether the kernel has left memory and event identifiers; if not, it has been told.
  bool has_room();
  void run();

 private:
  using Flag = ProductFlags::Index;

  // Rows of a plane of the output, and channels.
  struct Tile {
    int64_t depth;      // of the core's slices of the output
    int64_t m;          // the first row in the plane
    int64_t n;          // the first of the core's channels
    uint32_t rows;      // that leave L0C
    uint32_t lead;      // rows before them, where a 3D load begins
    uint32_t columns;   // whole blocks of C0
    uint32_t channels;  // of which there are so many
    // What it needs of a plane of the input: lines from y on, none if all is padding.
    int64_t y, lines;
    uint8_t top, bottom;  // padding around them
    uint32_t loaded_rows() const;
  };
  // Of the sum: planes of the kernel's slices, one slice after the other.
  struct Planes {
    int64_t first, count;
  };

  Tile tile_at(int64_t depth, int64_t m, int64_t n) const;
  void run_plane(int64_t depth);
  void run_tile(const Tile& tile);
  void load_bias(const Tile& tile);
  void load_planes(const Tile& tile, Planes planes);
  void multiply_planes(const Tile& tile, Planes planes, bool adds);
  void multiply_block(const Tile& tile, Planes planes, int64_t k, int64_t blocks, bool adds);
  void load_input(const Tile& tile, Planes planes, int64_t k, int64_t blocks);
  void load_weights(const Tile& tile, Planes planes, int64_t k, int64_t blocks);
  void multiply_zeros(const Tile& tile);
  void issue_mmad(const Tile& tile, uint32_t k, bool adds);
  void write(const Tile& tile);
  Operand l1_part(uint64_t bytes);

  const Conv3dRecord& r_;
  const Conv3dTilingData& t_;
  Conv3dShape shape_;
  Core& core_;
  int64_t planes_, points_;
  Operand l1_, input_, weights_, bias_, l0a_, l0b_, l0c_;
  int64_t held_ = 0;  // planes that input_ holds
  std::optional<ProductFlags> flags_;
};

}  // namespace vinci::isa
