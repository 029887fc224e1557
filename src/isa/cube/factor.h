// What a product of matrices reads of its factors: fractals, but nothing behind k.
#pragma once

#include "core/footprint.h"
#include "kernel/fractal.h"

namespace vinci::matrix {

// Row blocks of A, or all of B: `groups`, at equal distances. Each has `whole` bytes of which all
// count, and behind them `tails` rows of a fractal of which only the first `tail` bytes do.
struct FactorBytes {
  uint64_t groups, pitch;
  uint64_t whole;
  uint64_t tails, tail;
};

// A factor with `row_bytes` bytes along k in each row.
inline FactorBytes a_of(uint64_t m_blocks, uint64_t pitch, uint64_t row_bytes) {
  return {m_blocks, pitch, row_bytes / fractal::kRowBytes * fractal::kBytes, fractal::kRows,
          row_bytes % fractal::kRowBytes};
}
inline FactorBytes b_of(uint64_t n_blocks, uint64_t row_bytes) {
  return {1, 0, row_bytes / fractal::kRowBytes * n_blocks * fractal::kBytes,
          n_blocks * fractal::kRows, row_bytes % fractal::kRowBytes};
}

// `span`: all of its fractals. `row`: bytes from a tail to the next.
inline void add_factor(Footprint& footprint, const Region& span, const FactorBytes& factor,
                       uint64_t row = fractal::kRowBytes) {
  if (!footprint.scatters({&span, 1})) return;
  Region part = span;
  part.block_bytes = factor.whole;
  part.blocks = factor.groups;
  part.block_stride = int64_t(factor.pitch);
  footprint.add(part);
  part.address += factor.whole;
  part.block_bytes = factor.tail;
  part.blocks = factor.tails;
  part.block_stride = int64_t(row);
  part.repeats = factor.groups;
  part.repeat_stride = int64_t(factor.pitch);
  footprint.add(part);
}

}  // namespace vinci::matrix
