// Tiles of a Matmul: loads, products and results, with the flags between their pipes.
#pragma once

#include <optional>
#include <vector>

#include "isa/operator/matmul_factor.h"
#include "isa/operator/matmul_ub.h"
#include "isa/operator/product_steps.h"

namespace vinci::isa {

class MatmulProduct {
 public:
  MatmulProduct(const MatmulRecord& record, Core& core);

  // Whether the kernel has left memory and event identifiers; if not, it has been told.
  bool has_room();
  void run();
  // Whether the sums of an earlier call of this object are still in L0C.
  bool is_kept(int64_t tile) const;

 private:
  // What is multiplied, and where its result lies.
  struct Tile {
    int64_t number;  // among those of this call
    uint32_t row, column, rows, columns;
  };

  using Flag = ProductFlags::Index;

  void order(Flag flag);
  uint64_t l0c_bytes() const;
  bool fills_up(uint32_t columns) const;
  void fill_with_zeros(const Operand& l1) const;
  Tile tile_at(int64_t index) const;
  bool is_skipped(const Tile& tile) const;
  uint32_t k_blocks() const;
  Operand l1_part(uint64_t bytes);
  bool make_slots();
  // The part of L1 that holds the block now.
  Operand in_l1(std::vector<HeldTile>& slots, const MatmulLoad& load, const FactorBlock& block);
  void multiply(const Tile& tile, uint32_t first_block, uint32_t blocks, bool adds);
  void multiply_block(const Tile& tile, uint32_t k, bool adds);
  void load_bias(const Tile& tile);
  void start_from_bias(const Tile& tile);
  bool scales_in_l1() const;
  void load_scales(const Tile& tile);
  void write(const Tile& tile);
  bool is_sparse() const { return r_.index.dtype != DType::kNone; }
  void write_through_ub(const Tile& tile);
  void set_hf32(bool on, bool ties_away);
  Operand place_of(const Tile& tile) const;
  uint32_t row_length(const Tile& tile) const;

  const MatmulRecord& r_;
  Core& core_;
  MatmulTiles tiles_;
  MatmulLoad a_, b_;
  Operand l1_, l0c_, bias_, scales_, index_;  // scales_: of the tile
  std::vector<HeldTile> a_slots_, b_slots_;
  bool through_ub_;
  MatmulUb ub_;
  std::optional<ProductFlags> flags_;
};

}  // namespace vinci::isa
