// What classes of tiling data are made of. A class lays its fields out as they are constructed, in
// the order of their declaration: each starts at a multiple of its element's size, a class at a
// multiple of 8, and a class ends at one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "vinci/op/json_text.h"
#include "vinci/op/registry.h"
#include "vinci/op/text.h"

namespace vinci::op {
template <typename Class>
class TilingPart;
}

namespace optiling {

// Bytes of a class by itself are its own; those of a class inside another are the outer one's. The
// inner one knows how far away the outer one is, which stays true in copies of the outer one.
class TilingDef {
 public:
  explicit TilingDef(const char* name) : name_(name) {}
  // A copy stands by itself, and has its own bytes.
  TilingDef(const TilingDef& other)
      : fields_(other.fields_),
        own_(other.data(), other.data() + other.size_),
        size_(other.size_),
        name_(other.name_) {}
  TilingDef& operator=(const TilingDef& other) {
    if (this != &other && size_ != 0) std::memmove(data(), other.data(), size_);
    return *this;
  }

  // The bytes; nothing, if they are written to memory of somebody else already.
  void SaveToBuffer(void* buffer, size_t capacity) {
    if (foreign_ != nullptr) return;
    if (buffer == nullptr || capacity < size_) {
      vinci::op::mistake(buffer == nullptr
                             ? "SaveToBuffer gets a null pointer: nothing is saved"
                             : "SaveToBuffer gets less memory than the class has bytes: nothing is "
                               "saved",
                         "GetDataSize() bytes at least");
      return;
    }
    std::memcpy(buffer, data(), size_);
  }
  size_t GetDataSize() const { return size_; }
  // From now on fields are written to this memory, which nobody frees.
  void SetDataPtr(void* memory) { foreign_ = static_cast<uint8_t*>(memory); }
  void* GetDataPtr() const { return data(); }
  const char* GetTilingClassName() const { return name_; }
  void CheckAlignAndGenPlaceHolder(const char*, size_t) {}

  // vinci's own from here.
  uint8_t* data() const {
    if (outer_distance_ != 0) return outer().data() + outer_offset_;
    return foreign_ != nullptr ? foreign_ : const_cast<uint8_t*>(own_.data());
  }
  // Bytes for a field; its offset.
  size_t add_field(const char* name, const char* type, size_t bytes, size_t alignment, size_t count,
                   bool array = false, const TilingDef* part = nullptr) {
    pad(name, alignment);
    const size_t offset = size_;
    grow(bytes);
    vinci::op::JsonText& json = fields_;
    json.open('{').member("name", name).member("type", type).member("count", uint64_t{count});
    json.member("offset", uint64_t{offset}).member("array", array);
    if (part != nullptr) {
      vinci::op::JsonText inner = part->fields_;
      json.member("is_class", true).member("bytes", uint64_t{part->size_});
      json.key("fields").open('[').raw(inner.text()).close(']');
    }
    json.close('}');
    return offset;
  }
  void end() { pad(name_, 8); }
  void add_class(const char* key) const {
    vinci::op::JsonText json, fields = fields_;
    json.open('{').member("class", name_).member("bytes", uint64_t{size_}).key("fields");
    json.open('[').raw(fields.text()).close(']').close('}');
    vinci::op::add_tiling_class(key, json.text());
  }
  // Makes this a part of `outer`, which has it as a member.
  void attach(const TilingDef& outer, size_t offset) {
    outer_distance_ = reinterpret_cast<const char*>(&outer) - reinterpret_cast<const char*>(this);
    outer_offset_ = offset;
    own_ = std::vector<uint8_t>();
  }

 private:
  template <typename Class>
  friend class vinci::op::TilingPart;

  const TilingDef& outer() const {
    return *reinterpret_cast<const TilingDef*>(reinterpret_cast<const char*>(this) +
                                               outer_distance_);
  }
  void pad(const char* before, size_t alignment) {
    const size_t rest = size_ % alignment;
    if (rest == 0) return;
    fields_.open('{').key("name").value_with_suffix(before, "PH").member("type", "uint8_t");
    fields_.member("count", uint64_t{alignment - rest}).member("offset", uint64_t{size_});
    fields_.member("array", true).member("padding", true).close('}');
    grow(alignment - rest);
  }
  void grow(size_t bytes) {
    size_ += bytes;
    own_.resize(size_);
  }

  vinci::op::JsonText fields_;
  std::vector<uint8_t> own_;
  uint8_t* foreign_ = nullptr;
  std::ptrdiff_t outer_distance_ = 0;  // 0: it is no part
  size_t outer_offset_ = 0;
  size_t size_ = 0;
  const char* name_;
};

}  // namespace optiling

namespace vinci::op {

// Reading gives what was set, whatever became of the bytes since.
template <typename T>
class TilingField {
 public:
  static_assert(std::is_trivially_copyable<T>::value, "the kernel gets a copy of the bytes");

  TilingField(optiling::TilingDef& owner, const char* type, const char* name)
      : offset_(owner.add_field(name, type, sizeof(T), sizeof(T), 1)) {}
  void set(optiling::TilingDef& owner, T value) {
    value_ = value;
    std::memcpy(owner.data() + offset_, &value_, sizeof(T));
  }
  T get() const { return value_; }

 private:
  T value_ = T();
  size_t offset_;
};

template <typename T>
class TilingArray {
 public:
  static_assert(std::is_trivially_copyable<T>::value, "the kernel gets a copy of the bytes");

  TilingArray(optiling::TilingDef& owner, const char* type, const char* name, size_t count)
      : offset_(owner.add_field(name, type, count * sizeof(T), sizeof(T), count, true)),
        count_(count) {}
  void set(optiling::TilingDef& owner, const T* values) {
    T* place = get(owner);
    if (values != nullptr && values != place) std::memcpy(place, values, count_ * sizeof(T));
  }
  T* get(optiling::TilingDef& owner) const { return reinterpret_cast<T*>(owner.data() + offset_); }

 private:
  size_t offset_, count_;
};

// A class inside another: a member of this type.
template <typename Class>
class TilingPart : public Class {
 public:
  [[gnu::always_inline]] TilingPart(optiling::TilingDef& owner, const char* type,
                                    const char* name) {
    const size_t bytes = this->GetDataSize();
    this->attach(owner, owner.add_field(name, type, bytes, 8, 1, false, this));
  }
  [[gnu::always_inline]] TilingPart(const TilingPart& other) : Class(other) {
    this->outer_distance_ = other.outer_distance_;
    this->outer_offset_ = other.outer_offset_;
    this->own_ = std::vector<uint8_t>();
  }
  [[gnu::always_inline]] TilingPart& operator=(const TilingPart& other) = default;
  [[gnu::always_inline]] TilingPart& operator=(const Class& other) {
    Class::operator=(other);
    return *this;
  }
};

class TilingEnd {
 public:
  explicit TilingEnd(optiling::TilingDef& owner) { owner.end(); }
};

}  // namespace vinci::op
