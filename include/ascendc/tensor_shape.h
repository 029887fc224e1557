// TensorShape and TensorDataType: how programs name a tensor's shape and type to functions that say
// how much memory an operator needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "vinci/op/names.h"

namespace AscendC {

class TensorShape {
 public:
  static constexpr size_t kMostDims = 25;

  TensorShape() = default;
  TensorShape(std::initializer_list<int64_t> sizes) {
    for (const int64_t size : sizes) AppendDim(size);
  }
  // From a std::vector or the like.
  template <class Sizes, class = decltype(int64_t(*std::declval<const Sizes&>().begin()))>
  TensorShape(const Sizes& sizes) {  // NOLINT(google-explicit-constructor)
    for (const auto size : sizes) AppendDim(int64_t(size));
  }

  size_t GetDimNum() const { return dims_; }
  void SetDimNum(size_t dims) { dims_ = dims < kMostDims ? dims : kMostDims; }
  int64_t GetDim(size_t index) const { return index < dims_ ? sizes_[index] : 0; }
  int64_t operator[](size_t index) const { return GetDim(index); }
  void SetDim(size_t index, int64_t size) {
    if (index < kMostDims) sizes_[index] = size;
  }
  TensorShape& AppendDim(int64_t size) {
    if (dims_ < kMostDims) sizes_[dims_++] = size;
    return *this;
  }
  int64_t GetShapeSize() const {
    int64_t size = 1;
    for (size_t i = 0; i < dims_; ++i) size *= sizes_[i];
    return size;
  }
  bool IsScalar() const { return dims_ == 0; }

 private:
  size_t dims_ = 0;
  int64_t sizes_[kMostDims] = {};
};

enum class TensorDataType : int32_t {
#define VINCI_TYPE(name, number, bytes) DT_##name = number,
  VINCI_GE_TYPES(VINCI_TYPE)
#undef VINCI_TYPE
};

}  // namespace AscendC
