// Vectors whose elements lie behind their head, in memory that whoever makes them provides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "graph/ge_error_codes.h"

namespace gert {

class ContinuousVector {
 public:
  // Bytes that a vector of `capacity` elements needs.
  static constexpr size_t Bytes(size_t capacity, size_t element_bytes) {
    return sizeof(size_t) * 2 + capacity * element_bytes;
  }

  // A vector without elements, and room for so many.
  template <typename T>
  static std::unique_ptr<uint8_t[]> Create(size_t capacity) {
    std::unique_ptr<uint8_t[]> memory(new uint8_t[Bytes(capacity, sizeof(T))]);
    (new (memory.get()) ContinuousVector)->Init(capacity);
    return memory;
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

  // Bytes of vectors of int64_t, and the vectors themselves, made in memory that has as many.
  template <typename Lists>
  static size_t Bytes(const Lists& lists) {
    size_t bytes = sizeof(ContinuousVectorVector) + lists.size() * sizeof(size_t);
    for (const auto& one : lists) bytes += ContinuousVector::Bytes(one.size(), sizeof(int64_t));
    return bytes;
  }
  template <typename Lists>
  static ContinuousVectorVector* Fill(void* memory, const Lists& lists) {
    auto* made = new (memory) ContinuousVectorVector;
    made->Init(lists.size());
    size_t at = sizeof(ContinuousVectorVector) + lists.size() * sizeof(size_t), index = 0;
    for (const auto& one : lists) {
      made->MutableOffsets()[index++] = at;
      auto* inner = new (static_cast<char*>(memory) + at) TypedContinuousVector<int64_t>;
      inner->Init(one.size());
      inner->SetSize(one.size());
      int64_t* to = inner->MutableData();
      for (const auto& value : one) *to++ = value;
      at += ContinuousVector::Bytes(one.size(), sizeof(int64_t));
    }
    return made;
  }

  // What is told its memory: the offsets from here of each vector lie behind the head.
  void Init(size_t size) { size_ = size; }
  size_t* MutableOffsets() { return reinterpret_cast<size_t*>(this + 1); }

 private:
  size_t size_ = 0;
};

}  // namespace gert
