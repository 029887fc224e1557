// Vectors whose elements lie behind their head, in memory that whoever makes them provides.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/ge_error_codes.h"

namespace gert {

class ContinuousVector {
 public:
  // Bytes that a vector of `capacity` elements needs.
  static constexpr size_t Bytes(size_t capacity, size_t element_bytes) {
    return sizeof(size_t) * 2 + capacity * element_bytes;
  }

  size_t GetSize() const { return size_; }
  size_t GetCapacity() const { return capacity_; }
  ge::graphStatus SetSize(size_t size) {
    if (size > capacity_) return ge::GRAPH_PARAM_OUT_OF_RANGE;
    size_ = size;
    return ge::GRAPH_SUCCESS;
  }
  void Init(size_t capacity) {
    capacity_ = capacity;
    size_ = 0;
  }
  const void* GetData() const { return this + 1; }
  void* MutableData() { return this + 1; }

 private:
  size_t capacity_ = 0;
  size_t size_ = 0;
};

template <typename T>
class TypedContinuousVector : public ContinuousVector {
 public:
  const T* GetData() const { return static_cast<const T*>(ContinuousVector::GetData()); }
  T* MutableData() { return static_cast<T*>(ContinuousVector::MutableData()); }
};

// Vectors one behind the other, each at a multiple of 8 bytes.
class ContinuousVectorVector {
 public:
  size_t GetSize() const { return size_; }
  const ContinuousVector* Get(size_t index) const {
    if (index >= size_) return nullptr;
    const size_t* offsets = reinterpret_cast<const size_t*>(this + 1);
    return reinterpret_cast<const ContinuousVector*>(reinterpret_cast<const char*>(this) +
                                                     offsets[index]);
  }

  // What is told its memory: the offsets from here of each vector lie behind the head.
  void Init(size_t size) { size_ = size; }
  size_t* MutableOffsets() { return reinterpret_cast<size_t*>(this + 1); }

 private:
  size_t size_ = 0;
};

}  // namespace gert
