// The loop over panels for VNNI: halves of two fractals of C, side by side, in 16 registers.
//
// VNNI multiplies unsigned bytes by signed ones. A signed A comes with its sign bits flipped, as
// a + 128, and what that adds, 128 times the sum of a column of B, is taken away at the start.
#include "kernel/byte_panels.h"

#if defined(__AVX512BW__)
#include <immintrin.h>

#include <cstring>

#define VINCI_VNNI __attribute__((target("avx512vnni")))

namespace vinci::matrix {
namespace {

using fractal::kRows;

VINCI_VNNI __m512i surplus_of(const uint8_t* b, unsigned steps) {
  const __m512i factor = _mm512_set1_epi8(char(0x80));
  __m512i sum = _mm512_setzero_si512();
  for (unsigned group = 0; group < steps * kRows; ++group) {
    sum = _mm512_dpbusd_epi32(sum, factor, _mm512_loadu_si512(b + group * kPitch));
  }
  return sum;
}

constexpr unsigned kHalf = kRows / 2;

// The sums of half a fractal, a row in each register.
struct Sums {
  __m512i row[kHalf];
};

Sums start_of(const BytePanels& panels, __m512i surplus, const int32_t* c) {
  Sums sums;
#pragma GCC unroll 8
  for (unsigned row = 0; row < kHalf; ++row) {
    const __m512i held =
        panels.from_zero ? _mm512_setzero_si512() : _mm512_loadu_si512(c + row * kRows);
    sums.row[row] = _mm512_sub_epi32(held, surplus);
  }
  return sums;
}

void store(const Sums& sums, int32_t* c) {
#pragma GCC unroll 8
  for (unsigned row = 0; row < kHalf; ++row) _mm512_storeu_si512(c + row * kRows, sums.row[row]);
}

// Eight rows of kN fractals from (m, n) on.
template <unsigned kN>
VINCI_VNNI void multiply_half(const BytePanels& panels, unsigned m, unsigned n, unsigned first_row,
                              const __m512i (&surplus)[2], int32_t* c) {
  const uint8_t* a = panels.row_block(m) + first_row * kStepK;
  const uint8_t* b = panels.column_block(n);
  int32_t* left = c + panels.c_at(m, n) + first_row * kRows;
  int32_t* right = c + panels.c_at(m, n + 1) + first_row * kRows;
  Sums in_left = start_of(panels, surplus[0], left), in_right;
  if constexpr (kN == 2) in_right = start_of(panels, surplus[1], right);
  for (unsigned step = 0; step < panels.steps; ++step, a += kSquare) {
    for (unsigned k = 0; k < kStepK; k += 4, b += kPitch) {
#pragma GCC unroll 8
      for (unsigned row = 0; row < kHalf; ++row) {
        int32_t bytes;
        std::memcpy(&bytes, a + row * kStepK + k, sizeof(bytes));
        const __m512i four = _mm512_set1_epi32(bytes);
        in_left.row[row] = _mm512_dpbusd_epi32(in_left.row[row], four, _mm512_loadu_si512(b));
        if constexpr (kN == 2) {
          in_right.row[row] = _mm512_dpbusd_epi32(in_right.row[row], four,
                                                  _mm512_loadu_si512(b + panels.panel_bytes()));
        }
      }
    }
  }
  store(in_left, left);
  if constexpr (kN == 2) store(in_right, right);
}

template <unsigned kN>
void multiply_columns(const BytePanels& panels, unsigned n, int32_t* c) {
  __m512i surplus[2] = {};
  for (unsigned i = 0; i < kN && panels.signs == Signs::kBoth; ++i) {
    surplus[i] = surplus_of(panels.column_block(n + i), panels.steps);
  }
  for (unsigned m = 0; m < panels.m_blocks; ++m) {
    multiply_half<kN>(panels, m, n, 0, surplus, c);
    multiply_half<kN>(panels, m, n, kHalf, surplus, c);
  }
}

}  // namespace

void multiply_with_vnni(const BytePanels& panels, int32_t* c) {
  unsigned n = 0;
  for (; n + 2 <= panels.n_blocks; n += 2) multiply_columns<2>(panels, n, c);
  if (n < panels.n_blocks) multiply_columns<1>(panels, n, c);
}

}  // namespace vinci::matrix
#endif
