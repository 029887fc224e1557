// The bytes that a tiling function hands to its kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

#include "graph/ge_error_codes.h"
#include "vinci/op/registry.h"

namespace gert {

class TilingData {
 public:
  TilingData() = default;
  TilingData(void* data, size_t capacity) : data_(data), capacity_(capacity) {}

  // A TilingData with room for so many bytes behind it.
  static std::unique_ptr<uint8_t[]> CreateCap(size_t capacity) {
    std::unique_ptr<uint8_t[]> memory(new uint8_t[sizeof(TilingData) + capacity]);
    new (memory.get()) TilingData(memory.get() + sizeof(TilingData), capacity);
    return memory;
  }

  size_t GetCapacity() const { return capacity_; }
  size_t GetDataSize() const { return size_; }
  void SetDataSize(size_t size) {
    if (size > capacity_) {
      vinci::op::mistake("SetDataSize says more bytes of tiling data than there is room for",
                         "GetCapacity() bytes at most");
    }
    size_ = size;
  }
  const void* GetData() const { return data_; }
  void* GetData() { return data_; }

  template <typename T>
  ge::graphStatus Append(const T& value) {
    return Append(&value, 1);
  }
  template <typename T>
  ge::graphStatus Append(const T* values, size_t count) {
    static_assert(std::is_trivially_copyable<T>::value, "the kernel gets a copy of the bytes");
    void* place = Expand(count * sizeof(T));
    if (place == nullptr) return ge::GRAPH_FAILED;
    std::memcpy(place, values, count * sizeof(T));
    return ge::GRAPH_SUCCESS;
  }
  // Room for so many bytes more; nullptr, and nothing happens, if there is none.
  void* Expand(size_t bytes) {
    if (size_ > capacity_ || bytes > capacity_ - size_) return nullptr;
    void* place = static_cast<char*>(data_) + size_;
    size_ += bytes;
    return place;
  }

 private:
  void* data_ = nullptr;
  size_t capacity_ = 0;
  size_t size_ = 0;
};

template <typename T>
TilingData& operator<<(TilingData& data, const T& value) {
  data.Append(value);
  return data;
}

}  // namespace gert
