// The multiplication behind Mmad, on operands widened to float.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vinci::matrix {

struct Shape {
  unsigned m, n, k;

  unsigned m_blocks() const { return (m + 15) / 16; }
  unsigned n_blocks() const { return (n + 15) / 16; }
};

// A as [m_blocks][16 rows][k], B as [n_blocks][k][16 columns].
struct Panels {
  std::vector<float> a, b;
};

// Reads A (zZ; k contiguous elements if m is 1) and B (nZ) of binary16 out of L0A and L0B.
void pack_halves(const uint16_t* a, const uint16_t* b, const Shape& shape, Panels& panels);

// C (zN fractals of 16x16) = or += A * B: for each element one chain of fused multiply-adds over
// ascending k, starting from C or from 0. NaN results are the canonical NaN.
void multiply(const Panels& panels, const Shape& shape, float* c, bool accumulate);

}  // namespace vinci::matrix
