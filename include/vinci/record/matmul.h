// A product of matrices, or some of its tiles, as the Matmul object asks for it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "vinci/record.h"

namespace vinci {

// How a matrix lies in memory. ND: row by row. NZ: columns of C0 elements (32 bytes), each with all
// rows, one after the other. VECTOR: one row.
enum class MatrixFormat : uint8_t { kNd, kNz, kNdAlign, kVector };

// A factor from its first element on. `pitch`: ND: elements from row to row; NZ: rows of a column
// of C0 elements. A transposed factor lies in memory the other way round: A as K x M.
struct MatmulFactor {
  Operand memory;
  MatrixFormat format = MatrixFormat::kNd;
  bool transposed = false;
  uint32_t pitch = 0;
};

// What becomes of the sums.
struct MatmulOutput {
  enum class Quant : uint8_t { kNone, kScalar, kVector };
  enum class Atomic : uint8_t { kNone, kAdd, kMax, kMin };

  Operand memory;  // dtype kNone: nothing, they stay in L0C
  MatrixFormat format = MatrixFormat::kNd;
  bool sequential = false;  // tile after tile, each dense
  bool channel_split = false;
  Atomic atomic = Atomic::kNone;
  Quant quant = Quant::kNone;
  uint32_t pitch = 0;  // as a factor's
  uint64_t scale = 0;  // the word of Quant::kScalar
  Operand scales;      // of Quant::kVector, in GM: a word for each column
};

// What a function of the kernel learns of a tile that it writes: the copy out of L0C that would be
// made otherwise. With the documents' names; lengths and gaps in 32 bytes, rows of ND in elements.
struct MatmulCopyOut {
  uint16_t cBurstNum = 0;  // columns of 16
  uint16_t burstLen = 0, srcStride = 0;
  uint32_t dstStride = 0;
  uint16_t oriNSize = 0;  // ND: the tile's columns
  bool enUnitFlag = false;
  uint64_t quantScalar = 0;
  uint64_t cbufWorkspaceAddr = 0;  // in L1: the scales
};

// Functions of the kernel that take the place of copies; nullptr: none. Positions and extents are
// those of a block: its number in units of blocks, and its elements. Of `tiling` and `data` only
// the kernel knows what they are.
struct MatmulCallbacks {
  using CopyIn = void (*)(const Operand& l1, uint64_t gm, int row, int column, int rows,
                          int columns, uint64_t tiling, uint64_t data);
  using CopyOut = void (*)(uint64_t gm, const Operand& l0c, const MatmulCopyOut& copy,
                           uint64_t tiling, uint64_t data);
  CopyOut copy_out = nullptr;
  CopyIn copy_a = nullptr, copy_b = nullptr;
};

struct MatmulRecord : Record {
  enum class Triangle : uint8_t { kNone, kUpper, kLower };

  MatmulFactor a, b;
  Operand bias;  // dtype kNone: there is none
  MatmulOutput out;
  int32_t m = 0, n = 0, k = 0;  // of this core
  int32_t base_m = 0, base_n = 0, base_k = 0;
  int32_t step_m = 1, step_n = 1;  // tiles of a group
  bool n_first = false;            // the order of groups
  // Tiles first_tile.. of the product, in the order of Iterate. A tile of which base_k is all of K
  // has one part; with `parts` each block of K is a result of its own.
  int32_t first_tile = 0, tiles = 0;
  bool parts = false;
  int32_t first_k_block = 0;  // where the sum over K begins; it goes round
  Triangle triangle = Triangle::kNone;
  // What is in L0C: the first tile is multiplied (else it is there already), and added to what is
  // there. Of the object with this number, which no other has.
  bool multiplies = true;
  bool adds = false;
  uint64_t object = 0;
  Operand l0c;   // dtype kNone: vinci's choice
  Operand work;  // in UB, of whole cores; dtype kNone: what is left there
  // Of each four elements of a column of B there are two, and their 2-bit indices as NZ: columns of
  // 8 bytes, each with `index_pitch` rows. dtype kNone: B is whole.
  Operand index;
  uint32_t index_pitch = 0;
  MatmulCallbacks callbacks;
  uint64_t user_tiling = 0, user_data = 0;
  enum class Hf32 : uint8_t { kLeave, kOff, kNearestEven, kNearestAway } hf32 = Hf32::kLeave;
};

// Which tile comes when: groups of step_m x step_n tiles, and in a group the other way round.
struct MatmulTiles {
  int32_t rows, columns;  // how many
  int32_t step_m, step_n;
  bool n_first;

  explicit MatmulTiles(const MatmulRecord& r)
      : rows(count(r.m, r.base_m)),
        columns(count(r.n, r.base_n)),
        step_m(std::max(r.step_m, 1)),
        step_n(std::max(r.step_n, 1)),
        n_first(r.n_first) {}

  static int32_t count(int32_t size, int32_t base) {
    return base <= 0 || size <= 0 ? 0 : (size - 1) / base + 1;
  }
  int64_t total() const { return int64_t(rows) * columns; }

  struct At {
    int32_t row, column;
  };
  At at(int64_t index) const {
    if (n_first) return along<false>(index);
    return along<true>(index);
  }

 private:
  // M first: groups go along M, then along N; in a group N runs fastest.
  template <bool m_first>
  At along(int64_t index) const {
    const int32_t fast = m_first ? rows : columns, slow = m_first ? columns : rows;
    const int32_t fast_step = m_first ? step_m : step_n, slow_step = m_first ? step_n : step_m;
    const int64_t band = int64_t(fast) * slow_step;  // tiles of a band of groups
    const auto first_slow = int32_t(index / band * slow_step);
    const int32_t slow_size = std::min(slow_step, slow - first_slow);
    const int64_t in_band = index % band;
    const auto first_fast = int32_t(in_band / (int64_t(fast_step) * slow_size) * fast_step);
    const auto in_group = int32_t(in_band - int64_t(first_fast) * slow_size);
    const int32_t f = first_fast + in_group / slow_size, s = first_slow + in_group % slow_size;
    return m_first ? At{f, s} : At{s, f};
  }
};

}  // namespace vinci
