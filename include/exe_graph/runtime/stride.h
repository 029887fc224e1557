// The strides of a tensor that is a view, in elements.
#pragma once

#include "exe_graph/runtime/shape.h"

namespace gert {

class Stride {
 public:
  static constexpr size_t kMaxDimNum = Shape::kMaxDimNum;
  static constexpr int64_t kInvalidStrideValue = Shape::kInvalidDimValue;

  Stride() = default;
  Stride(std::initializer_list<int64_t> strides) : strides_(strides) {}

  size_t GetDimNum() const { return strides_.GetDimNum(); }
  void SetDimNum(size_t count) { strides_.SetDimNum(count); }
  int64_t GetStride(size_t index) const { return strides_.GetDim(index); }
  void SetStride(size_t index, int64_t value) { strides_.SetDim(index, value); }
  Stride& AppendStride(int64_t value) {
    strides_.AppendDim(value);
    return *this;
  }
  const int64_t& operator[](size_t index) const { return strides_[index]; }
  int64_t& operator[](size_t index) { return strides_[index]; }
  bool operator==(const Stride& other) const { return strides_ == other.strides_; }
  bool operator!=(const Stride& other) const { return strides_ != other.strides_; }

 private:
  Shape strides_;
};

}  // namespace gert
