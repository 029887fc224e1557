// Tiles of a convolution, Conv3D or the gradient of its input: loads, products and results, with
// the flags between their pipes.
#pragma once

#include <optional>
#include <vector>

#include "isa/operator/conv3d_windows.h"
#include "isa/operator/product_steps.h"

namespace vinci::isa {

// A core's part of a convolution.
struct Conv3dTask {
  std::string_view api;
  Conv3dShape shape;
  // Of the gradient of the input: windows move against the kernel, so that slices and points of the
  // kernel come the other way round, and channels of the output are summed.
  bool is_gradient = false;
  Conv3dMap map;
  // FRACTAL_Z_3D: [KD, C1, KH, KW, N1, N0, C0], from the core's first channels on.
  Operand weight;
  Operand bias;    // dtype kNone: there is none
  Operand output;  // [D, C1, H * W, C0], from the core's first element on
  // `planes` planes of each slice of the map are summed. The core's first slice begins at
  // `first_depth` and its first row is `first_row`; so many rows and channels follow.
  int64_t planes = 0;
  int64_t first_depth = 0, first_row = 0, rows = 0, channels = 0;
  // Depth and columns of a tile, and columns of the matrix that L1 holds at once.
  uint32_t k_l0 = 0, n_l0 = 0;
  int64_t k_l1 = 0;
  uint64_t object = 0;  // whose sums they are; 0: nobody asks for them again

  // Of the output.
  int64_t all_channels() const { return is_gradient ? shape.ci : shape.co; }
  int64_t plane_rows() const { return map.h.positions() * map.w.positions(); }
};

class Conv3dProduct {
 public:
  // Rows of a plane of the output, and channels.
  struct Tile {
    int64_t number;     // of the object
    int64_t depth;      // of the core's slices of the output
    int64_t n;          // the first of the core's channels
    uint32_t columns;   // whole blocks of C0
    uint32_t channels;  // of which there are so many
    Conv3dWindows::Rows rows;
  };

  Conv3dProduct(const Conv3dTask& task, Core& core);

  // Whether the kernel has left memory and event identifiers; if not, it has been told. A tile has
  // up to `rows` rows in L0C.
  bool has_room(uint32_t rows);
  // Up to `rows` rows, and the core's channels from n on.
  Tile tile_at(int64_t depth, int64_t m, uint32_t rows, int64_t n, int64_t number = 0) const;
  void multiply(const Tile& tile);
  void write(const Tile& tile);
  // The sums of this tile are in L0C.
  bool is_kept(const Tile& tile) const;
  // Behind all tiles.
  void end() { flags_->release(); }

 private:
  using Flag = ProductFlags::Index;

  // Slices of the kernel and of the map that meet.
  struct Slice {
    int64_t kernel, map;
  };
  // Of the sum: planes of `slices`, one slice after the other.
  struct Planes {
    int64_t first, count;
  };

  std::vector<Slice> slices_of(int64_t depth) const;
  void load_bias(const Tile& tile);
  void load_planes(const Tile& tile, Planes planes);
  void multiply_planes(const Tile& tile, Planes planes, bool adds);
  void multiply_block(const Tile& tile, Planes planes, int64_t k, int64_t blocks, bool adds);
  void load_weights(const Tile& tile, Planes planes, int64_t k, int64_t blocks);
  void copy_weights(const Tile& tile, Planes planes, int64_t k, int64_t blocks);
  void copy_turned_weights(const Tile& tile, Planes planes, int64_t k, int64_t blocks);
  void multiply_zeros(const Tile& tile);
  void issue_mmad(const Tile& tile, uint32_t k, bool adds);
  Operand l1_part(uint64_t bytes);
  bool has_bias() const { return t_.bias.dtype != DType::kNone; }

  const Conv3dTask& t_;
  Core& core_;
  Conv3dWindows windows_;
  int64_t points_;
  std::vector<Slice> slices_;  // of the tile
  Operand l1_, input_, weights_, bias_, l0a_, l0b_, l0c_;
  int64_t held_ = 0;  // planes that input_ holds
  std::optional<ProductFlags> flags_;
};

}  // namespace vinci::isa
