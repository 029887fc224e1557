// The graph's shapes, which functions for tiling take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "graph/types.h"

namespace ge {

class Shape {
 public:
  Shape() = default;
  explicit Shape(std::vector<int64_t> dims) : dims_(std::move(dims)) {}

  size_t GetDimNum() const { return dims_.size(); }
  void SetDimNum(size_t count) { dims_.resize(count, -1); }
  // 0 behind the last dimension.
  int64_t GetDim(size_t index) const { return index < dims_.size() ? dims_[index] : 0; }
  graphStatus SetDim(size_t index, int64_t value) {
    if (index >= dims_.size()) return GRAPH_FAILED;
    dims_[index] = value;
    return GRAPH_SUCCESS;
  }
  std::vector<int64_t> GetDims() const { return dims_; }
  // 0 without dimensions; -1, if one is unknown.
  int64_t GetShapeSize() const {
    if (dims_.empty()) return 0;
    int64_t size = 1;
    for (const int64_t dim : dims_) {
      if (dim < 0) return -1;
      if (__builtin_mul_overflow(size, dim, &size)) return std::numeric_limits<int64_t>::max();
    }
    return size;
  }

 private:
  std::vector<int64_t> dims_;
};

}  // namespace ge
