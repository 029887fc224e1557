// ListTensorDesc: tensors whose number and shapes the kernel reads from GM.
//
// In 64-bit words: the bytes from the start to the pointers; for each tensor a word with its number
// of dimensions (low half) and its index (high half), and its dimensions; the pointers.
#pragma once

#include "ascendc/tensor.h"

namespace AscendC {

// One of them. The kernel says where its dimensions shall be kept.
template <class T>
class TensorDesc {
 public:
  void SetShapeAddr(uint64_t* shapePtr) { shape_ = shapePtr; }
  uint64_t GetDim() { return dims_; }
  uint64_t GetIndex() { return index_; }
  uint64_t GetShape(uint32_t offset) {
    if (offset < dims_ && shape_ != nullptr) return shape_[offset];
    vinci::bad_argument("TensorDesc::GetShape", "the dimension", offset,
                        "less than GetDim, after SetShapeAddr");
    return 0;
  }
  __gm__ T* GetDataPtr() { return data_; }
  GlobalTensor<T> GetDataObj() {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(data_);
    return tensor;
  }

 private:
  friend class ListTensorDesc;

  uint64_t dims_ = 0, index_ = 0;
  uint64_t* shape_ = nullptr;
  __gm__ T* data_ = nullptr;
};

class ListTensorDesc {
 public:
  ListTensorDesc() = default;
  ListTensorDesc(__gm__ void* data, uint32_t length = 0xffffffff, uint32_t shapeSize = 0xffffffff) {
    Init(data, length, shapeSize);
  }

  // length: the bytes of all this; shapeSize: the number of pointers. ~0: not known.
  void Init(__gm__ void* data, uint32_t length = 0xffffffff, uint32_t shapeSize = 0xffffffff) {
    words_.SetGlobalBuffer(static_cast<__gm__ uint64_t*>(data));
    pointers_ = words_.GetValue(0) / sizeof(uint64_t);
    size_ = 0;
    for (uint64_t at = 1; at < pointers_; at += 1 + dims_at(at)) ++size_;
    if (shapeSize != 0xffffffff && shapeSize != size_) {
      vinci::bad_argument("ListTensorDesc", "shapeSize", shapeSize,
                          "the number of tensors that lie there");
    }
    if (length != 0xffffffff && (pointers_ + size_) * sizeof(uint64_t) > length) {
      vinci::bad_argument("ListTensorDesc", "length", length, "the bytes up to the last pointer");
    }
  }

  uint32_t GetSize() { return size_; }
  template <class T>
  T* GetDataPtr(uint32_t index) {
    if (!has(index)) return nullptr;
    return reinterpret_cast<T*>(words_.GetValue(pointers_ + index));
  }
  template <class T>
  void GetDesc(TensorDesc<T>& desc, uint32_t index) {
    if (!has(index)) return;
    uint64_t at = 1;
    for (uint32_t i = 0; i < index; ++i) at += 1 + dims_at(at);
    desc.dims_ = dims_at(at);
    desc.index_ = words_.GetValue(at) >> 32;
    for (uint64_t i = 0; i < desc.dims_ && desc.shape_ != nullptr; ++i) {
      desc.shape_[i] = words_.GetValue(at + 1 + i);
    }
    desc.data_ = GetDataPtr<T>(index);
  }

 private:
  uint32_t dims_at(uint64_t word) const { return uint32_t(words_.GetValue(word)); }
  bool has(uint32_t index) const {
    if (index < size_) return true;
    vinci::bad_argument("ListTensorDesc", "the index", index, "less than GetSize");
    return false;
  }

  GlobalTensor<uint64_t> words_;
  uint64_t pointers_ = 0;
  uint32_t size_ = 0;
};

}  // namespace AscendC
