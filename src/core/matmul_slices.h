// Where the matrices of a batch lie in one tensor.
#pragma once

#include <cstdint>

#include "vinci/matmul_object.h"

namespace vinci {

// The axes of a batch: B, S, N, G, D, however they lie.
struct BatchAxes {
  uint64_t b, s, n, g, d;
};

// Where matrix `index` begins, and how long its rows are; 0: as without a batch.
struct BatchSlice {
  uint64_t first, pitch;
};
inline BatchSlice slice_of(MatrixLayout layout, const BatchAxes& axes, uint64_t index) {
  const uint64_t heads = axes.n * axes.g;
  switch (layout) {
    case MatrixLayout::kBsngd:
      return {index / heads * axes.s * heads * axes.d + index % heads * axes.d, heads * axes.d};
    case MatrixLayout::kSbngd: return {index * axes.d, axes.b * heads * axes.d};
    default: return {index * axes.s * axes.d, 0};
  }
}

}  // namespace vinci
