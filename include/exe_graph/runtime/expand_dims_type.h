// Which dimensions of a shape were added to reach the rank of its format.
#pragma once

#include <cstdint>

#include "exe_graph/runtime/shape.h"

namespace gert {

class ExpandDimsType {
 public:
  using AxisIndex = uint64_t;

  ExpandDimsType() = default;
  // One character a dimension: '1' for one that was added.
  explicit ExpandDimsType(const char* rule) {
    for (; rule != nullptr && *rule != '\0' && size_ < Shape::kMaxDimNum; ++rule, ++size_) {
      if (*rule == '1') SetExpandIndex(size_);
    }
  }
  explicit ExpandDimsType(const int64_t& bits)
      : size_(static_cast<uint64_t>(bits) >> 56), mask_(bits & 0xFFFFFFFFFFFFFF) {}

  AxisIndex GetFullSize() const { return size_; }
  void SetExpandIndex(AxisIndex index) { mask_ |= uint64_t{1} << index; }
  bool IsExpandIndex(AxisIndex index) const { return ((mask_ >> index) & 1) != 0; }
  bool operator==(const ExpandDimsType& o) const { return size_ == o.size_ && mask_ == o.mask_; }

 private:
  uint64_t size_ = 0;
  uint64_t mask_ = 0;
};

}  // namespace gert
