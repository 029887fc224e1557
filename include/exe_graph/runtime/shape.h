// A shape of at most 25 dimensions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "vinci/op/registry.h"

namespace gert {

class Shape {
 public:
  static constexpr size_t kMaxDimNum = 25;
  static constexpr int64_t kInvalidDimValue = std::numeric_limits<int64_t>::min();

  Shape() = default;
  // Empty, if there are more than 25.
  Shape(std::initializer_list<int64_t> dims) {
    if (dims.size() > kMaxDimNum) return;
    for (const int64_t dim : dims) AppendDim(dim);
  }

  // 1 of a scalar; kInvalidDimValue, if it does not fit.
  int64_t GetShapeSize() const {
    int64_t size = 1;
    for (size_t i = 0; i < count_; ++i) {
      if (__builtin_mul_overflow(size, dims_[i], &size)) return kInvalidDimValue;
    }
    return size;
  }
  bool IsScalar() const { return count_ == 0; }
  void SetScalar() { count_ = 0; }

  size_t GetDimNum() const { return count_; }
  void SetDimNum(size_t count) { count_ = count < kMaxDimNum ? count : kMaxDimNum; }
  // Behind the last dimension there is what was left there.
  int64_t GetDim(size_t index) const {
    if (index >= count_) {
      vinci::op::doubt("GetDim beyond the rank: what it gives is no dimension of the shape");
    }
    return index < kMaxDimNum ? dims_[index] : kInvalidDimValue;
  }
  const int64_t& operator[](size_t index) const { return dims_[index]; }
  int64_t& operator[](size_t index) { return dims_[index]; }
  // The documents' rule: the rank becomes `index` at least, not index + 1; see SetDimNum.
  void SetDim(size_t index, int64_t value) {
    if (index >= kMaxDimNum) return;
    if (index >= count_) {
      vinci::op::doubt(
          "SetDim beyond the rank makes the rank the index, not one more: SetDimNum comes first");
    }
    dims_[index] = value;
    if (count_ < index) count_ = index;
  }
  Shape& AppendDim(int64_t value) {
    if (count_ < kMaxDimNum) dims_[count_++] = value;
    return *this;
  }

  bool operator==(const Shape& other) const {
    if (count_ != other.count_) return false;
    for (size_t i = 0; i < count_; ++i) {
      if (dims_[i] != other.dims_[i]) return false;
    }
    return true;
  }
  bool operator!=(const Shape& other) const { return !(*this == other); }

 private:
  size_t count_ = 0;
  int64_t dims_[kMaxDimNum] = {};
};

}  // namespace gert
