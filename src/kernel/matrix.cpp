// Packing, and register tiles of 16 columns.
//
// A step of a tile multiplies 16 columns of B, side by side, with one number of each row of A.
// Fractals have a row for each row of A and for each column of B: those of B are transposed. Both
// are widened: to float, or to int16 where the host has nothing for bytes (matrix_bytes.cpp).
#include "kernel/matrix.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernel/fractal.h"
#include "kernel/matrix_bytes.h"
#include "kernel/transpose.h"
#include "kernel/float16x.h"
#include "kernel/half_array.h"
#include "kernel/int32x16.h"
#include "numeric/whole.h"

namespace vinci::matrix {
namespace {

constexpr unsigned kTile = 16;  // columns of a tile, and rows of a fractal

// What a tile computes with: Sum is a row of 16 columns, kGroup how many k one step takes, kDepth
// how many of a row of A are packed side by side.
struct FloatTile {
  using Wide = float;
  using Result = float;
  using Sum = Float16x;
  static constexpr unsigned kGroup = 1, kDepth = 16;
};

struct IntegerTile {
  using Wide = int16_t;
  using Result = int32_t;
  using Sum = Int32x16;
  static constexpr unsigned kGroup = 2, kDepth = 32;
};

// `bytes` bytes of elements as numbers, in the same order.
void widen(DType type, const uint8_t* in, size_t bytes, float* out) {
  const auto* halves = reinterpret_cast<const uint16_t*>(in);
  switch (type) {
    case DType::kFloat: std::memcpy(out, in, bytes); return;
    case DType::kBfloat16:
      for (size_t i = 0; i < bytes / 2; ++i) out[i] = float_of_bits(uint32_t(halves[i]) << 16);
      return;
    default: floats_of_halves(halves, out, bytes / 2); return;
  }
}

void widen(DType type, const uint8_t* in, size_t bytes, int16_t* out) {
  switch (type) {
    case DType::kInt8:
      for (size_t i = 0; i < bytes; ++i) out[i] = int8_t(in[i]);
      return;
    case DType::kUint8:
      for (size_t i = 0; i < bytes; ++i) out[i] = in[i];
      return;
    default:
      for (size_t i = 0; i < bytes; ++i) {
        out[2 * i] = int16_t(((in[i] & 15) ^ 8) - 8);
        out[2 * i + 1] = int16_t(((in[i] >> 4) ^ 8) - 8);
      }
      return;
  }
}

// A fractal as [K0 / kGroup][16 rows][kGroup].
void transpose(const uint8_t* fractal, DType type, float* out) {
  if (type == DType::kFloat) {  // two squares of 8x8, one above the other
    constexpr unsigned kRow = kTile * sizeof(float);
    auto* bytes = reinterpret_cast<uint8_t*>(out);
    for (unsigned half = 0; half < 2; ++half, fractal += fractal::kBytes / 2, bytes += kRow / 2) {
      fractal::transpose_half<uint32_t>(fractal, bytes, kRow);
      fractal::transpose_half<uint32_t>(fractal + 16, bytes + 4 * kRow, kRow);
    }
    return;
  }
  uint8_t transposed[fractal::kBytes];
  fractal::transpose_square<uint16_t>(fractal, transposed);
  widen(type, transposed, sizeof(transposed), out);
}

void transpose(const uint8_t* fractal, DType type, int16_t* out) {
  uint8_t transposed[fractal::kBytes];
  fractal::transpose_square<uint16_t>(fractal, transposed);
  if (type != DType::kInt4) return widen(type, transposed, sizeof(transposed), out);
  // 16 bits hold four k of a column, and a step takes two.
  uint8_t steps[16][2][kTile];
  for (unsigned i = 0; i < 16; ++i) {
    for (unsigned column = 0; column < kTile; ++column) {
      steps[i][0][column] = transposed[(i * kTile + column) * 2];
      steps[i][1][column] = transposed[(i * kTile + column) * 2 + 1];
    }
  }
  widen(type, steps[0][0], sizeof(steps), out);
}

// Fractals along k, `stride` bytes apart, as [K / kGroup][16][kGroup].
template <class Wide>
void pack(const uint8_t* fractals, size_t stride, DType type, unsigned k, Wide* out) {
  const unsigned k0 = fractal::row_elements(type);
  for (unsigned k1 = 0; k1 < k; k1 += k0)
    transpose(fractals + k1 / k0 * stride, type, out + k1 * kTile);
}

// Elements of 16 columns of B, packed.
size_t packed_columns(DType type, unsigned k) {
  return round_up(k, fractal::row_elements(type)) * kTile;
}

// Never smaller again: what it grows by is set to 0, which takes its time.
template <class Wide>
Wide* of_size(std::vector<Wide>& panel, size_t size) {
  if (panel.size() < size) panel.resize(size);
  return panel.data();
}

// A fractal of A, whose first k is `k`, to its place in [k / kDepth][16 rows][kDepth].
template <class Kind>
void pack_rows(const uint8_t* fractal, DType type, unsigned k, typename Kind::Wide* out) {
  const unsigned k0 = fractal::row_elements(type), part = std::min(k0, Kind::kDepth);
  if (k0 == Kind::kDepth) return widen(type, fractal, fractal::kBytes, out + k * kTile);
  for (unsigned row = 0; row < kTile; ++row) {
    for (unsigned end = k + k0, at = k; at < end; at += part, fractal += bytes_of(type, part)) {
      const unsigned in_row = at % Kind::kDepth;
      auto* const place = out + (at - in_row) * kTile + row * Kind::kDepth + in_row;
      if (type == DType::kFloat) {  // as it is, and half a row of a panel
        fractal::copy_row(reinterpret_cast<uint8_t*>(place), fractal);
      } else {
        widen(type, fractal, bytes_of(type, part), place);
      }
    }
  }
}

// Sixteen rows of A, the `block`-th, or its only row as it is. `panel` lends its memory.
template <class Kind, class Wide = typename Kind::Wide>
const Wide* pack_a(const uint8_t* a, DType type, const Product& product, unsigned block,
                   std::vector<Wide>& panel) {
  const unsigned k0 = fractal::row_elements(type);
  const size_t fractals = ceil_div(product.k, k0);
  if (product.m == 1) {
    if (type == DType::kFloat) return reinterpret_cast<const Wide*>(a);
    widen(type, a, fractals * fractal::kRowBytes, of_size(panel, fractals * k0));
    return panel.data();
  }
  const size_t pitch = product.k_direction_align ? ceil_div(product.k, 16) * 2 : fractals;
  const uint8_t* fractal = a + block * pitch * fractal::kBytes;
  // All of the last fractal is packed.
  Wide* out = of_size(panel, round_up(product.k, std::max(k0, Kind::kDepth)) * kTile);
  for (unsigned k = 0; k < product.k; k += k0, fractal += fractal::kBytes) {
    pack_rows<Kind>(fractal, type, k, out);
  }
  return out;
}

// The column block `block` of B; 0 where the last step takes one k too many.
template <class Kind>
void pack_b(const uint8_t* b, DType type, const Product& product, unsigned block,
            typename Kind::Wide* panel) {
  pack(b + block * fractal::kBytes, product.n_blocks() * fractal::kBytes, type, product.k, panel);
  if (product.k % Kind::kGroup != 0) {
    auto* last = panel + size_t(product.k - 1) * kTile;
    for (unsigned column = 0; column < kTile; ++column) last[2 * column + 1] = 0;
  }
}

// Panels of A and B and where their product goes: of the next column block, b_block elements behind
// that of B, it is c_block behind. The next kDepth of A are a_depth behind.
template <class Kind>
struct Tile {
  const typename Kind::Wide *a, *b;
  size_t a_depth, b_block;
  unsigned k;
  typename Kind::Result* c;
  size_t c_block;
  bool from_zero;

  Tile from_row(unsigned row) const {
    Tile tile = *this;
    tile.a += row * Kind::kDepth;
    tile.c += row * kTile;
    return tile;
  }
};

// kRows rows of kBlocks column blocks of C.
template <class Kind, unsigned kBlocks, unsigned kRows>
void multiply_tile(const Tile<Kind>& tile) {
  using Result = typename Kind::Result;
  alignas(64) static constexpr Result kZeros[kTile] = {};
  typename Kind::Sum sum[kRows][kBlocks];
  const auto row_of_c = [&](unsigned row, unsigned block) {
    return tile.c + row * kTile + block * tile.c_block;
  };
#pragma GCC unroll 16
  for (unsigned row = 0; row < kRows; ++row) {
#pragma GCC unroll 2
    for (unsigned block = 0; block < kBlocks; ++block) {
      sum[row][block] = Kind::Sum::load(tile.from_zero ? kZeros : row_of_c(row, block));
    }
  }
  const auto *a = tile.a, *b = tile.b;
  for (unsigned k = 0; k < tile.k; k += Kind::kDepth, a += tile.a_depth) {
    const unsigned depth = std::min(Kind::kDepth, tile.k - k);
    for (unsigned i = 0; i < depth; i += Kind::kGroup, b += Kind::kGroup * kTile) {
#pragma GCC unroll 16
      for (unsigned row = 0; row < kRows; ++row) {
#pragma GCC unroll 2
        for (unsigned block = 0; block < kBlocks; ++block) {
          sum[row][block].add_products(a + row * Kind::kDepth + i, b + block * tile.b_block);
        }
      }
    }
  }
#pragma GCC unroll 16
  for (unsigned row = 0; row < kRows; ++row) {
#pragma GCC unroll 2
    for (unsigned block = 0; block < kBlocks; ++block) {
      sum[row][block].store(row_of_c(row, block));
    }
  }
}

// The rows of a fractal of C from kRow on, in tiles as even as can be whose sums fit the registers.
template <class Kind, unsigned kBlocks, unsigned kRow = 0>
void multiply_block(const Tile<Kind>& tile) {
  constexpr unsigned kLeft = kTile - kRow;
  constexpr unsigned kTiles = ceil_div(kLeft * kBlocks, Kind::Sum::kInRegisters);
  constexpr unsigned kRows = ceil_div(kLeft, kTiles);
  multiply_tile<Kind, kBlocks, kRows>(tile.from_row(kRow));
  if constexpr (kRows < kLeft) multiply_block<Kind, kBlocks, kRow + kRows>(tile);
}

// A fractal of C and, if kBlocks is 2, the one to its right.
template <class Kind, unsigned kBlocks>
void multiply_fractals(const Product& product, const Tile<Kind>& tile) {
  if (product.m != 1) return multiply_block<Kind, kBlocks>(tile);
  if (tile.from_zero) {
    for (unsigned block = 0; block < kBlocks; ++block) {
      std::memset(tile.c + block * tile.c_block, 0, kTile * kTile * sizeof(*tile.c));
    }
  }
  multiply_tile<Kind, kBlocks, 1>(tile);
}

// All of B is packed once, and 16 rows of A at a time, which the host's first cache holds.
template <class Kind>
void multiply_all(const uint8_t* a_bytes, DType a_type, const uint8_t* b_bytes, DType b_type,
                  const Product& product, typename Kind::Result* c) {
  // Kept for their memory.
  static thread_local std::vector<typename Kind::Wide> a_panel, b_panel;
  // Two column blocks share the elements of A, where there are registers for both.
  constexpr unsigned kBlocks = Kind::Sum::kInRegisters >= 16 ? 2 : 1;
  const unsigned columns = product.n_blocks();
  const size_t b_block = packed_columns(b_type, product.k);
  auto* const b = of_size(b_panel, columns * b_block);
  for (unsigned column = 0; column < columns; ++column) {
    pack_b<Kind>(b_bytes, b_type, product, column, b + column * b_block);
  }
  const size_t a_depth = (product.m == 1 ? 1 : kTile) * Kind::kDepth;
  const size_t c_block = size_t(product.m_blocks()) * kTile * kTile;
  for (unsigned row = 0; row < product.m_blocks(); ++row, c += kTile * kTile) {
    const auto* a = pack_a<Kind>(a_bytes, a_type, product, row, a_panel);
    Tile<Kind> tile{a, b, a_depth, b_block, product.k, c, c_block, product.from_zero};
    unsigned column = 0;
    for (; column + kBlocks <= columns; column += kBlocks) {
      multiply_fractals<Kind, kBlocks>(product, tile);
      tile.b += kBlocks * b_block;
      tile.c += kBlocks * c_block;
    }
    if (column < columns) multiply_fractals<Kind, 1>(product, tile);
  }
}

}  // namespace

void multiply(const uint8_t* a, DType a_type, const uint8_t* b, DType b_type,
              const Product& product, float* c) {
  multiply_all<FloatTile>(a, a_type, b, b_type, product, c);
}

void multiply(const uint8_t* a, DType a_type, const uint8_t* b, DType b_type,
              const Product& product, int32_t* c) {
  const ByteUnit unit = byte_unit();
  if (takes(unit, a_type, b_type, product)) {
    return multiply_bytes(unit, a, a_type, b, b_type, product, c);
  }
  multiply_all<IntegerTile>(a, a_type, b, b_type, product, c);
}

}  // namespace vinci::matrix
