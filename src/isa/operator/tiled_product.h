// A product of two matrices that lie whole in L1, cut by the caller's tiling: what Conv2D and Gemm
// issue. They say how tiles of A are loaded; all else is here.
#pragma once

#include <functional>

#include "core/core.h"
#include "core/instruction.h"
#include "isa/operator/product_tiling.h"

namespace vinci::isa {

// What a call's parameters are called in its documents.
struct ProductNames {
  const char *api, *dst, *a, *b;
  const char* partial_sum;
  const char *a_elements, *b_elements, *dst_elements;  // formulas of their sizes
};

// Blocks first..first + count - 1 of an axis.
struct Blocks {
  uint32_t first, count;
};

struct TiledProduct {
  const ProductNames& names;
  Operand dst;   // zN, in CO1, or in CO2, from where sums come to L0C and where they go
  Operand a, b;  // in L1; B is nZ with all its columns
  uint64_t a_bytes, b_bytes;
  uint32_t k;  // elements
  product::Tiling tiling;
  bool adds;         // to what dst holds
  bool leaves_sums;  // in L0C, for a later call; of dst in CO2

  // Loads these blocks of A to `l0a`, zZ.
  using LoadA = std::function<void(const Operand& l0a, Blocks rows, Blocks columns)>;
};

// Positions and alignment of the operands, the first rules.
void check_places(const TiledProduct& product, Check& check);
// Sizes of the operands. For a tiling that is legal.
void check_sizes(const TiledProduct& product, Check& check);
// What earlier calls have left in L0C.
void check_partial_sums(const TiledProduct& product, Check& check);

// Issues the loads, multiplications and copies, with the flags between their pipes.
void expand(const TiledProduct& product, const TiledProduct::LoadA& load_a, Core& core);

}  // namespace vinci::isa
