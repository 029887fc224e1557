// Packing, and register tiles of 16 columns.
//
// A row of a tile needs 16 columns of B side by side, so B's fractals, which have a row for each
// column, are transposed; A stays in the order of L0A. Both are widened: to float, or to int16
// where the host has nothing for bytes (matrix_bytes.cpp).
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

namespace vinci::matrix {
namespace {

constexpr unsigned kTile = 16;  // columns of a tile, and rows of a fractal
constexpr unsigned kMostK = 4096;

// What a tile computes with: Sum is a row of 16 columns, kGroup how many k one step takes, and kK0
// the elements of A that the row of a fractal can hold.
struct FloatTile {
  using Wide = float;
  using Result = float;
  using Sum = Float16x;
  static constexpr unsigned kGroup = 1;
  static constexpr unsigned kK0[] = {8, 16};
};

struct IntegerTile {
  using Wide = int16_t;
  using Result = int32_t;
  using Sum = Int32x16;
  static constexpr unsigned kGroup = 2;
  static constexpr unsigned kK0[] = {32, 64};
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

// Fractals from one row block of A to the next.
size_t pitch_of(DType type, const Product& product) {
  return product.k_direction_align ? ceil_div(product.k, 16) * 2
                                   : ceil_div(product.k, fractal::row_elements(type));
}

// A, widened. `panel` lends its memory.
template <class Wide>
const Wide* pack_a(const uint8_t* a, DType type, const Product& product, std::vector<Wide>& panel) {
  if (type == DType::kFloat) return reinterpret_cast<const Wide*>(a);
  const size_t fractals = product.m_blocks() * pitch_of(type, product);
  // A step may take one k too many: whole rows of a fractal, also of a vector.
  const size_t bytes = product.m == 1
                           ? ceil_div(product.k, fractal::row_elements(type)) * fractal::kRowBytes
                           : fractals * fractal::kBytes;
  panel.resize(bytes * 8 / bits_of(type));
  widen(type, a, bytes, panel.data());
  return panel.data();
}

// A B fractal, which has a row for each column, as [K0 / kGroup][16 columns][kGroup].
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

// The column block `block` of B; 0 where the last step takes one k too many.
template <class Kind>
const typename Kind::Wide* pack_b(const uint8_t* b, DType type, const Product& product,
                                  unsigned block, std::vector<typename Kind::Wide>& panel) {
  const unsigned k0 = fractal::row_elements(type);
  const size_t k_blocks = ceil_div(product.k, k0);
  panel.resize(k_blocks * k0 * kTile);
  for (size_t k1 = 0; k1 < k_blocks; ++k1) {
    const uint8_t* fractal = b + (k1 * product.n_blocks() + block) * fractal::kBytes;
    transpose(fractal, type, &panel[k1 * k0 * kTile]);
  }
  if (product.k % Kind::kGroup != 0) {
    auto* last = &panel[size_t(product.k - 1) * kTile];
    for (unsigned column = 0; column < kTile; ++column) last[2 * column + 1] = 0;
  }
  return panel.data();
}

// kRows x 16 elements of C. `a` is zZ with kK0 elements in the row of a fractal.
template <class Kind, unsigned kRows, unsigned kK0>
void multiply_tile(const typename Kind::Wide* a, const typename Kind::Wide* b, unsigned k,
                   typename Kind::Result* c) {
  typename Kind::Sum sum[kRows];
#pragma GCC unroll 16
  for (unsigned row = 0; row < kRows; ++row) sum[row] = Kind::Sum::load(c + row * kTile);
  for (unsigned k1 = 0; k1 < k; k1 += kK0, a += kK0 * kTile) {
    const unsigned end = std::min(kK0, k - k1);
    for (unsigned i = 0; i < end; i += Kind::kGroup, b += Kind::kGroup * kTile) {
#pragma GCC unroll 16
      for (unsigned row = 0; row < kRows; ++row) sum[row].add_products(a + row * kK0 + i, b);
    }
  }
#pragma GCC unroll 16
  for (unsigned row = 0; row < kRows; ++row) sum[row].store(c + row * kTile);
}

// The rows of a fractal of C from kRow on, in tiles as even as can be whose sums fit the registers.
template <class Kind, unsigned kK0, unsigned kRow = 0>
void multiply_block(const typename Kind::Wide* a, const typename Kind::Wide* b, unsigned k,
                    typename Kind::Result* c) {
  constexpr unsigned kLeft = kTile - kRow;
  constexpr unsigned kTiles = ceil_div(kLeft, Kind::Sum::kInRegisters);
  constexpr unsigned kRows = ceil_div(kLeft, kTiles);
  multiply_tile<Kind, kRows, kK0>(a + kRow * kK0, b, k, c + kRow * kTile);
  if constexpr (kRows < kLeft) multiply_block<Kind, kK0, kRow + kRows>(a, b, k, c);
}

template <class Kind, unsigned kK0>
void multiply_column(const typename Kind::Wide* a, size_t a_pitch, const typename Kind::Wide* b,
                     const Product& product, typename Kind::Result* c) {
  for (unsigned block = 0; block < product.m_blocks(); ++block) {
    multiply_block<Kind, kK0>(a + block * a_pitch * kK0 * kTile, b, product.k,
                              c + size_t(block) * kTile * kTile);
  }
}

template <class Kind>
void multiply_all(const uint8_t* a_bytes, DType a_type, const uint8_t* b_bytes, DType b_type,
                  const Product& product, typename Kind::Result* c) {
  // Kept for their memory.
  static thread_local std::vector<typename Kind::Wide> a_panel, b_panel;
  const auto* a = pack_a(a_bytes, a_type, product, a_panel);
  const size_t a_pitch = pitch_of(a_type, product);
  for (unsigned block = 0; block < product.n_blocks(); ++block, c += product.m_blocks() * 256) {
    const auto* b = pack_b<Kind>(b_bytes, b_type, product, block, b_panel);
    if (product.from_zero) std::memset(c, 0, product.m_blocks() * 256 * sizeof(*c));
    if (product.m == 1) {  // one row of a fractal as deep as can be
      multiply_tile<Kind, 1, kMostK>(a, b, product.k, c);
      continue;
    }
    if (fractal::row_elements(a_type) == Kind::kK0[0]) {
      multiply_column<Kind, Kind::kK0[0]>(a, a_pitch, b, product, c);
    } else {
      multiply_column<Kind, Kind::kK0[1]>(a, a_pitch, b, product, c);
    }
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
