// Operands of a multiplication of bytes as AMX and VNNI want them, and what multiplies them.
#pragma once

#if defined(__AVX512BW__)
#include <cstddef>
#include <cstdint>

#include "kernel/fractal.h"

namespace vinci::matrix {

inline constexpr unsigned kStepK = 64;                                 // k of a square
inline constexpr unsigned kSquare = fractal::kRows * kStepK;           // its bytes
inline constexpr unsigned kResults = fractal::kRows * fractal::kRows;  // elements of a fractal of C
inline constexpr unsigned kPitch = fractal::kRows * sizeof(int32_t);   // bytes of its row
static_assert(kPitch == kStepK);

enum class Signs { kBoth, kColumns, kNeither };  // which operand is signed

// A row block of A is a panel of `steps` squares of 16 rows with 64 k each. A column block of B is
// one too: a row of a square holds four k of each of 16 columns. C is zN; from_zero: whatever it
// holds does not count.
struct BytePanels {
  const uint8_t *a, *b;
  unsigned steps, m_blocks, n_blocks;
  Signs signs;
  bool from_zero;

  size_t panel_bytes() const { return size_t(steps) * kSquare; }
  const uint8_t* row_block(unsigned block) const { return a + block * panel_bytes(); }
  const uint8_t* column_block(unsigned block) const { return b + block * panel_bytes(); }
  size_t c_at(unsigned m, unsigned n) const { return (size_t(n) * m_blocks + m) * kResults; }
};

// C += A * B, modulo 2^32. VNNI takes A with its sign bits flipped if it is signed, and not
// Signs::kNeither.
void multiply_with_amx(const BytePanels& panels, int32_t* c);
void multiply_with_vnni(const BytePanels& panels, int32_t* c);

}  // namespace vinci::matrix
#endif
