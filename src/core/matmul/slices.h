// Where the matrices of a batch lie in one tensor, and which of them belong together.
#pragma once

#include <algorithm>
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

// Product `index` of those that the axes of both factors make: which matrix of `axes` it takes. An
// axis of 1 has one matrix for all.
inline uint64_t matrix_of(uint64_t index, const BatchAxes& axes, const BatchAxes& other) {
  const uint64_t g = std::max(axes.g, other.g), n = std::max(axes.n, other.n);
  const auto along = [](uint64_t size, uint64_t at) { return size == 1 ? 0 : at; };
  return (along(axes.b, index / (g * n)) * axes.n + along(axes.n, index / g % n)) * axes.g +
         along(axes.g, index % g);
}

}  // namespace vinci
