// One factor of a Matmul on its way: from where it lies to L1, and on to L0A or L0B.
#pragma once

#include "core/core.h"
#include "isa/operator/tile.h"
#include "vinci/record/matmul.h"

namespace vinci::isa {

// Part of a factor: rows of A or columns of B (`outer`), and elements of K.
struct FactorBlock {
  uint32_t outer, outer_size, k, k_size;
};

// `straight`: elements of K lie side by side in memory, as in the fractals of L0A and L0B. If not,
// squares of fractals are transposed on the way to L0.
class MatmulLoad {
 public:
  // `least_unit`: rows or columns are to come in multiples of it.
  MatmulLoad(const MatmulFactor& factor, bool is_a, const Soc& soc, uint32_t least_unit = 16)
      : factor_(factor),
        least_unit_(least_unit),
        is_a_(is_a),
        straight_(factor.transposed != is_a),
        in_l1_(soc.space_of(factor.memory.position) == Space::kL1),
        in_ub_(soc.space_of(factor.memory.position) == Space::kUb),
        has_vectors_(soc.arch->split) {}

  bool is_straight() const { return straight_; }
  bool in_l1() const { return in_l1_; }
  bool in_ub() const { return in_ub_; }
  DType type() const { return factor_.memory.dtype; }
  // Rows or columns come in so many, elements of K in so many.
  uint32_t outer_unit() const;
  uint32_t k_unit() const;
  uint32_t rounded_outer(uint32_t size) const;
  uint32_t rounded_k(uint32_t size) const;
  // Bytes of a block in L1 and in L0.
  uint64_t bytes(uint32_t outer, uint32_t k) const;
  // A block of one row of A is a vector for Mmad.
  bool is_vector(uint32_t outer_size) const;

  void to_l1(Core& core, const FactorBlock& block, const Operand& l1) const;
  void to_l0(Core& core, const FactorBlock& block, const Operand& l1, const Operand& l0) const;

 private:
  struct Strides {
    uint32_t outer, k;  // fractals of L0
  };
  Strides strides(const FactorBlock& block) const;
  uint32_t c0() const;
  void nd_to_l1(Core& core, const FactorBlock& block, const Operand& l1) const;
  void nz_to_l1(Core& core, const FactorBlock& block, const Operand& l1) const;
  void ub_to_l1(Core& core, const FactorBlock& block, const Operand& l1) const;
  void straight_to_l0(Core& core, const FactorBlock& block, const Operand& l1,
                      const Operand& l0) const;
  void halves_to_l0(Core& core, const FactorBlock& block, const Operand& l1,
                    const Operand& l0) const;
  void squares_to_l0(Core& core, const FactorBlock& block, const Operand& l1,
                     const Operand& l0) const;

  const MatmulFactor& factor_;
  uint32_t least_unit_;
  bool is_a_, straight_, in_l1_, in_ub_, has_vectors_;
};

// Rows of elements that lie side by side in GM, `pitch` elements apart, to L1 as zN with `height`
// rows; row-major to columns of 32 bytes.
void copy_rows_to_l1(Core& core, const Operand& from, uint64_t first, uint64_t pitch, uint32_t rows,
                     uint32_t columns, const Operand& l1, uint32_t height);
// `columns` columns of `rows` rows of 32 bytes each, from zN in GM to zN in L1. Pitches, from a
// column to the next, in rows.
void copy_columns_to_l1(Core& core, const Operand& from, const Operand& l1, uint32_t columns,
                        uint32_t rows, uint64_t src_pitch, uint32_t dst_pitch);

}  // namespace vinci::isa
