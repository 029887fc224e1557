// Packing into panels, and a register tile of 16 columns.
#include "isa/family/matrix.h"

#include <algorithm>
#include <cstring>

#include "numeric/float16x.h"
#include "numeric/half_array.h"

namespace vinci::matrix {
namespace {

constexpr unsigned kTile = 16;  // columns of a tile, and rows of a fractal
constexpr unsigned kFractal = 256;
constexpr unsigned kRows = kFloat16xAccumulators;  // rows of a tile

using Columns = float[kTile];

// kRows x 16 elements of C. `a` has a row every `k` elements, `b` 16 columns for each k.
void multiply_tile(const float* a, const float* b, unsigned k, Columns* c, bool accumulate) {
  Float16x sum[kRows];
#pragma GCC unroll 16
  for (unsigned row = 0; row < kRows; ++row) {
    sum[row] = accumulate ? Float16x::load(c[row]) : Float16x::broadcast(0.0f);
  }
  for (unsigned i = 0; i < k; ++i) {
    const Float16x columns = Float16x::load(b + i * kTile);
#pragma GCC unroll 16
    for (unsigned row = 0; row < kRows; ++row) {
      sum[row] = Float16x::fma(Float16x::broadcast(a[row * k + i]), columns, sum[row]);
    }
  }
#pragma GCC unroll 16
  for (unsigned row = 0; row < kRows; ++row) sum[row].store(c[row]);
}

void canonical_nans(float* c, size_t count) {
  for (size_t i = 0; i < count; ++i) c[i] = c[i] != c[i] ? __builtin_nanf("") : c[i];
}

}  // namespace

void pack_halves(const uint16_t* a, const uint16_t* b, const Shape& shape, Panels& panels) {
  const unsigned k = shape.k;
  const unsigned k_blocks = (k + 15) / 16;
  panels.a.assign(size_t(shape.m_blocks()) * kTile * k, 0.0f);
  panels.b.resize(size_t(shape.n_blocks()) * kTile * k);
  if (shape.m == 1) {
    floats_of_halves(a, panels.a.data(), k);
  } else {
    for (unsigned block = 0; block < shape.m_blocks(); ++block) {
      for (unsigned k1 = 0; k1 < k_blocks; ++k1) {
        const uint16_t* fractal = a + (size_t(block) * k_blocks + k1) * kFractal;
        const unsigned width = std::min(16u, k - k1 * 16);
        for (unsigned row = 0; row < kTile; ++row) {
          floats_of_halves(fractal + row * 16,
                           &panels.a[(size_t(block) * kTile + row) * k + k1 * 16], width);
        }
      }
    }
  }
  for (unsigned block = 0; block < shape.n_blocks(); ++block) {
    for (unsigned k1 = 0; k1 < k_blocks; ++k1) {
      const uint16_t* fractal = b + (size_t(k1) * shape.n_blocks() + block) * kFractal;
      uint16_t turned[16][16];
      for (unsigned column = 0; column < 16; ++column) {
        for (unsigned i = 0; i < 16; ++i) turned[i][column] = fractal[column * 16 + i];
      }
      const unsigned depth = std::min(16u, k - k1 * 16);
      floats_of_halves(&turned[0][0], &panels.b[(size_t(block) * k + k1 * 16) * kTile],
                       depth * kTile);
    }
  }
}

void multiply(const Panels& panels, const Shape& shape, float* c, bool accumulate) {
  const size_t elements = size_t(shape.m_blocks()) * shape.n_blocks() * kFractal;
  for (unsigned column = 0; column < shape.n_blocks(); ++column) {
    const float* b = &panels.b[size_t(column) * shape.k * kTile];
    for (unsigned row = 0; row < shape.m_blocks() * kTile; row += kRows) {
      auto* tile = reinterpret_cast<Columns*>(c) + size_t(column) * shape.m_blocks() * kTile + row;
      multiply_tile(&panels.a[size_t(row) * shape.k], b, shape.k, tile, accumulate);
    }
  }
  canonical_nans(c, elements);
}

}  // namespace vinci::matrix
