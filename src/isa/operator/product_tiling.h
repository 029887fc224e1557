// Tilings of a product of matrices that lie in L1, as Conv2D and Gemm take them: what must hold of
// them, apart from any core.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>

#include "vinci/fault.h"
#include "vinci/record/conv2d.h"

namespace vinci::product {

// Both chips have as much L0A and L0B, and the tilings know no chip.
inline constexpr uint32_t kL0Bytes = 64 << 10;
inline constexpr uint32_t kBlock = 16;  // rows of M and columns of N in a fractal

// Receives a broken rule: what is wrong, and what would be legal.
using Report = std::function<void(Code, std::string text, std::string legal)>;

// The checks return false after a report; they stop at the first broken rule.

struct Ranged {
  const char* name;
  int64_t value, low, high;
};
bool check_ranges(std::initializer_list<Ranged> list, const Report& report);

// A field of a tiling: its range, and whether it follows from the call's other parameters.
template <class T>
struct Field {
  const char* name;
  uint32_t T::*field;
  uint32_t low, high;
  bool follows;
};

// Each field is in its range, and those that follow are as in `wanted`, which `made_by` makes.
template <class T, size_t N>
bool check_fields(const Field<T> (&fields)[N], const char* prefix, const T& tiling, const T& wanted,
                  const std::string& made_by, const std::string& legal, const Report& report) {
  for (const Field<T>& item : fields) {
    const std::string name = prefix + std::string(item.name);
    if (!check_ranges({{name.c_str(), tiling.*item.field, item.low, item.high}}, report)) {
      return false;
    }
  }
  for (const Field<T>& item : fields) {
    const uint32_t got = tiling.*item.field, right = wanted.*item.field;
    if (!item.follows || got == right) continue;
    report(Code::kCombination,
           prefix + std::string(item.name) + " is " + std::to_string(got) + ", and " + made_by +
               " make it " + std::to_string(right),
           legal);
    return false;
  }
  return true;
}

// How a product is cut. "Block" is 16 rows of M or columns of N, or c0 elements of K.
struct Tiling {
  LoopMode loop_mode;
  uint32_t c0;  // elements of a row of a fractal of A and B
  uint32_t m_blocks, n_blocks, k_blocks;
  uint32_t m_tile, n_tile, k_tile;  // blocks that one step takes
  uint32_t m_count, n_count, k_count;

  // One tile of A, or of B, in bytes.
  uint64_t a_tile_bytes() const;
  uint64_t b_tile_bytes() const;
  // Whether the tiles of both operands leave room for a second one.
  bool has_two_buffers() const;
};
template <class T>  // Conv2dTilling or GemmTiling
Tiling tiling_from(const T& t) {
  return {t.loopMode,   t.c0Size,     t.mBlockNum, t.nBlockNum, t.kBlockNum, t.mTileBlock,
          t.nTileBlock, t.kTileBlock, t.mIterNum,  t.nIterNum,  t.kIterNum};
}

// One direction of the product: fields of a tiling, named prefix + letter + "TileBlock" and so on.
struct Axis {
  char letter;
  uint32_t blocks, tile, iterations, tail;
};
// The counts agree with each other.
bool check_axis(const char* prefix, const Axis& axis, const Report& report);
template <class T>
bool check_axes(const char* prefix, const T& t, const Report& report) {
  return check_axis(prefix, {'m', t.mBlockNum, t.mTileBlock, t.mIterNum, t.mTailBlock}, report) &&
         check_axis(prefix, {'n', t.nBlockNum, t.nTileBlock, t.nIterNum, t.nTailBlock}, report) &&
         check_axis(prefix, {'k', t.kBlockNum, t.kTileBlock, t.kIterNum, t.kTailBlock}, report);
}

// A tile of A fits L0A, and one of B L0B. What the operands are called goes into reports.
bool check_rooms(const Tiling& tiling, const char* a, const char* b, const Report& report);

// Blocks of K in a tile where M and N are not cut: as deep as half of L0A holds of all rows, and
// half of L0B of all columns.
uint32_t deepest_tile(uint32_t rows, uint32_t columns, uint32_t k, uint32_t c0,
                      uint32_t element_bytes);

// Where the tiling functions' broken rules go: to the core's report, or in host code to stderr, and
// the program ends.
Report report_of(std::string function);

}  // namespace vinci::product
