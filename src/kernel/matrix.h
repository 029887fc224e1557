// The multiplication behind Mmad: operands out of L0A and L0B, widened and packed, and the loop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vinci/dtype.h"

namespace vinci::matrix {

struct Product {
  unsigned m, n, k;
  bool k_direction_align = false;  // float A: row blocks stand 2 * ceil(k / 16) fractals apart
  bool from_zero = false;          // C's fractals are set to 0 first

  unsigned m_blocks() const { return (m + 15) / 16; }
  unsigned n_blocks() const { return (n + 15) / 16; }
  size_t fractals() const { return size_t(m_blocks()) * n_blocks(); }
};

// C (zN fractals of 16x16) += A * B. A is zZ, or k contiguous elements if m is 1; then only row 0
// of each fractal of C is touched. B is nZ. Elements of A and B with an index of k or more do not
// count. Floats (half, bfloat16, float): for each element of C one chain of fused multiply-adds
// over ascending k, starting from C; NaN results are the canonical NaN. Integers (int8, uint8,
// int4): sums wrap modulo 2^32.
void multiply(const uint8_t* a, DType a_type, const uint8_t* b, DType b_type,
              const Product& product, float* c);
void multiply(const uint8_t* a, DType a_type, const uint8_t* b, DType b_type,
              const Product& product, int32_t* c);

}  // namespace vinci::matrix
