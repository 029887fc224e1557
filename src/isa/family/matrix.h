// The multiplication behind Mmad: operands out of L0A and L0B, widened and packed, and the loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vinci/dtype.h"

namespace vinci::matrix {

struct Shape {
  unsigned m, n, k;
  bool k_direction_align = false;  // float A: row blocks stand 2 * ceil(k / 16) fractals apart

  unsigned m_blocks() const { return (m + 15) / 16; }
  unsigned n_blocks() const { return (n + 15) / 16; }
  size_t fractals() const { return size_t(m_blocks()) * n_blocks(); }
};

// A is [m_blocks][16 rows][depth]; B is [n_blocks][depth / group][16 columns][group], where group
// is how many k one step of the loop takes: 1 for floats, 2 for integers. depth is k rounded up to
// a group; what fills it up is 0.
template <class Wide>
struct Panels {
  std::vector<Wide> a, b;
};

// Reads A (zZ, or k contiguous elements if m is 1) and B (nZ). Floats take half, bfloat16 and
// float; integers take int8, uint8 and int4.
void pack(const uint8_t* a, DType a_type, const uint8_t* b, DType b_type, const Shape& shape,
          Panels<float>& panels);
void pack(const uint8_t* a, DType a_type, const uint8_t* b, DType b_type, const Shape& shape,
          Panels<int16_t>& panels);

// C (zN fractals of 16x16) += A * B. Floats: for each element one chain of fused multiply-adds over
// ascending k, starting from C; NaN results are the canonical NaN. Integers wrap.
void multiply(const Panels<float>& panels, const Shape& shape, float* c);
void multiply(const Panels<int16_t>& panels, const Shape& shape, int32_t* c);

}  // namespace vinci::matrix
