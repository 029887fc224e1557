// Packing into panels, and register tiles of 16 columns.
#include "isa/family/matrix.h"

#include <algorithm>
#include <cstring>

#include "isa/family/fractal.h"
#include "numeric/float16x.h"
#include "numeric/half_array.h"
#include "numeric/int32x16.h"

namespace vinci::matrix {
namespace {

constexpr unsigned kTile = 16;  // columns of a tile, and rows of a fractal
constexpr unsigned kFractal = 256;
constexpr unsigned kRows = kFloat16xAccumulators;  // rows of a tile
constexpr unsigned kMostInRow = 64;                // elements in the 32 bytes of a row: int4

template <class Wide>
inline constexpr unsigned kGroup = sizeof(Wide) == sizeof(float) ? 1 : 2;

// One row of a fractal, 32 bytes, as numbers.
void widen(DType type, const uint8_t* row, float* out) {
  uint16_t halves[16];
  switch (type) {
    case DType::kFloat: std::memcpy(out, row, fractal::kRowBytes); return;
    case DType::kBfloat16:
      std::memcpy(halves, row, sizeof(halves));
      for (int i = 0; i < 16; ++i) out[i] = float_of_bits(uint32_t(halves[i]) << 16);
      return;
    default: floats_of_halves(reinterpret_cast<const uint16_t*>(row), out, 16); return;
  }
}

void widen(DType type, const uint8_t* row, int16_t* out) {
  for (unsigned i = 0; i < fractal::kRowBytes; ++i) {
    switch (type) {
      case DType::kInt8: out[i] = int8_t(row[i]); break;
      case DType::kUint8: out[i] = row[i]; break;
      default:
        out[2 * i] = int16_t(((row[i] & 15) ^ 8) - 8);
        out[2 * i + 1] = int16_t(((row[i] >> 4) ^ 8) - 8);
        break;
    }
  }
}

template <class Wide>
unsigned depth_of(const Shape& shape) {
  return (shape.k + kGroup<Wide> - 1) / kGroup<Wide> * kGroup<Wide>;
}

// A vector A is one row; the other rows of its panel are 0.
template <class Wide>
void pack_a(const uint8_t* a, DType type, const Shape& shape, std::vector<Wide>& panel) {
  const unsigned k0 = fractal::row_elements(type);
  const unsigned k_blocks = (shape.k + k0 - 1) / k0;
  const unsigned pitch = shape.k_direction_align ? (shape.k + 15) / 16 * 2 : k_blocks;
  const unsigned depth = depth_of<Wide>(shape);
  panel.resize(size_t(shape.m_blocks()) * kTile * depth);
  if (shape.m == 1 || depth != shape.k) std::fill(panel.begin(), panel.end(), Wide(0));
  const unsigned rows = shape.m == 1 ? 1 : shape.m_blocks() * kTile;
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned k1 = 0; k1 < k_blocks; ++k1) {
      const size_t fractal = size_t(row / kTile) * pitch + k1;
      const uint8_t* from = shape.m == 1
                                ? a + size_t(k1) * fractal::kRowBytes
                                : a + fractal * fractal::kBytes + row % kTile * fractal::kRowBytes;
      Wide* out = &panel[size_t(row) * depth + k1 * k0];
      const unsigned left = shape.k - k1 * k0;
      if (left >= k0) {
        widen(type, from, out);
        continue;
      }
      Wide wide[kMostInRow];
      widen(type, from, wide);
      std::memcpy(out, wide, left * sizeof(Wide));
    }
  }
}

// The first `count` k of a B fractal, which has a row for each column, as [count][16 columns].
void turn(const uint8_t* fractal, DType type, unsigned count, float* out) {
  if (type == DType::kFloat) {
    float in[kTile][8];
    std::memcpy(in, fractal, sizeof(in));
    for (unsigned i = 0; i < count; ++i) {
      for (unsigned column = 0; column < kTile; ++column) out[i * kTile + column] = in[column][i];
    }
    return;
  }
  uint16_t in[kTile][16], turned[16][kTile];
  std::memcpy(in, fractal, sizeof(in));
  for (unsigned column = 0; column < kTile; ++column) {
    for (unsigned i = 0; i < 16; ++i) turned[i][column] = in[column][i];
  }
  for (unsigned i = 0; i < count; ++i) {
    widen(type, reinterpret_cast<const uint8_t*>(turned[i]), out + i * kTile);
  }
}

// The same as [count / 2][16 columns][2].
void turn(const uint8_t* fractal, DType type, unsigned count, int16_t* out) {
  for (unsigned column = 0; column < kTile; ++column) {
    int16_t wide[kMostInRow];
    widen(type, fractal + column * fractal::kRowBytes, wide);
    for (unsigned i = 0; i < count; ++i) {
      out[(i / 2 * kTile + column) * 2 + i % 2] = wide[i];
    }
  }
}

template <class Wide>
void pack_b(const uint8_t* b, DType type, const Shape& shape, std::vector<Wide>& panel) {
  constexpr unsigned group = kGroup<Wide>;
  const unsigned k0 = fractal::row_elements(type);
  const unsigned depth = depth_of<Wide>(shape);
  panel.resize(size_t(shape.n_blocks()) * kTile * depth);
  for (unsigned block = 0; block < shape.n_blocks(); ++block) {
    Wide* out = &panel[size_t(block) * depth * kTile];
    if (depth != shape.k) std::fill_n(out + size_t(depth - group) * kTile, group * kTile, Wide(0));
    for (unsigned k = 0; k < shape.k; k += k0) {
      const size_t number = size_t(k / k0) * shape.n_blocks() + block;
      turn(b + number * fractal::kBytes, type, std::min(k0, shape.k - k), out + size_t(k) * kTile);
    }
  }
}

// kRows x 16 elements of C. `a` has a row every `k` elements, `b` 16 columns for each k.
void multiply_tile(const float* a, const float* b, unsigned k, float (*c)[kTile]) {
  Float16x sum[kRows];
#pragma GCC unroll 16
  for (unsigned row = 0; row < kRows; ++row) sum[row] = Float16x::load(c[row]);
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

// The same on pairs of k.
void multiply_tile(const int16_t* a, const int16_t* b, unsigned k, int32_t (*c)[kTile]) {
  Int32x16 sum[kRows];
#pragma GCC unroll 16
  for (unsigned row = 0; row < kRows; ++row) sum[row] = Int32x16::load(c[row]);
  for (unsigned i = 0; i < k; i += 2) {
#pragma GCC unroll 16
    for (unsigned row = 0; row < kRows; ++row) {
      sum[row].add_products(a + row * k + i, b + i * kTile);
    }
  }
#pragma GCC unroll 16
  for (unsigned row = 0; row < kRows; ++row) sum[row].store(c[row]);
}

template <class Wide, class Result>
void multiply_tiles(const Panels<Wide>& panels, const Shape& shape, Result* c) {
  const unsigned depth = depth_of<Wide>(shape);
  for (unsigned column = 0; column < shape.n_blocks(); ++column) {
    const Wide* b = &panels.b[size_t(column) * depth * kTile];
    for (unsigned row = 0; row < shape.m_blocks() * kTile; row += kRows) {
      auto* tile =
          reinterpret_cast<Result(*)[kTile]>(c) + size_t(column) * shape.m_blocks() * kTile + row;
      multiply_tile(&panels.a[size_t(row) * depth], b, depth, tile);
    }
  }
}

template <class Wide>
void pack_both(const uint8_t* a, DType a_type, const uint8_t* b, DType b_type, const Shape& shape,
               Panels<Wide>& panels) {
  pack_a(a, a_type, shape, panels.a);
  pack_b(b, b_type, shape, panels.b);
}

}  // namespace

void pack(const uint8_t* a, DType a_type, const uint8_t* b, DType b_type, const Shape& shape,
          Panels<float>& panels) {
  pack_both(a, a_type, b, b_type, shape, panels);
}

void pack(const uint8_t* a, DType a_type, const uint8_t* b, DType b_type, const Shape& shape,
          Panels<int16_t>& panels) {
  pack_both(a, a_type, b, b_type, shape, panels);
}

void multiply(const Panels<float>& panels, const Shape& shape, float* c) {
  multiply_tiles(panels, shape, c);
  for (size_t i = 0; i < shape.fractals() * kFractal; ++i) {
    c[i] = c[i] != c[i] ? __builtin_nanf("") : c[i];
  }
}

void multiply(const Panels<int16_t>& panels, const Shape& shape, int32_t* c) {
  multiply_tiles(panels, shape, c);
}

}  // namespace vinci::matrix
