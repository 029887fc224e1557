// A tensor as host functions see it: shape, format, type, and values where they are known.
#pragma once

#include "exe_graph/runtime/storage_format.h"
#include "exe_graph/runtime/storage_shape.h"
#include "exe_graph/runtime/tensor_data.h"
#include "vinci/op/registry.h"

namespace gert {

class Tensor {
 public:
  Tensor() = default;
  Tensor(const StorageShape& shape, const StorageFormat& format, ge::DataType type)
      : shape_(shape), format_(format), type_(type) {}
  Tensor(const StorageShape& shape, const StorageFormat& format, TensorPlacement placement,
         ge::DataType type, TensorAddress address)
      : shape_(shape), format_(format), type_(type), data_(address, 0, placement) {
    data_.SetSize(size_t(bytes()));
  }

  // Elements, those that the format adds included.
  int64_t GetShapeSize() const { return shape_.GetStorageShape().GetShapeSize(); }
  template <typename T>
  const T* GetData() const {
    return static_cast<const T*>(GetAddr());
  }
  template <typename T>
  T* GetData() {
    return static_cast<T*>(GetAddr());
  }
  TensorAddress GetAddr() const {
    if (undeclared_) {
      vinci::op::doubt(
          "the values of a tensor are read that is not declared as value-dependent: with the "
          "toolkit its address is null. GetInputTensor counts each tensor of a dynamic input, "
          "GetRequiredInputTensor and GetOptionalInputTensor the inputs of the definition");
    }
    return data_.GetAddr();
  }
  size_t GetSize() const { return data_.GetSize(); }
  void SetSize(size_t bytes) { data_.SetSize(bytes); }

  ge::DataType GetDataType() const { return type_; }
  void SetDataType(ge::DataType type) { type_ = type; }

  const StorageShape& GetShape() const { return shape_; }
  StorageShape& GetShape() { return shape_; }
  const Shape& GetStorageShape() const { return shape_.GetStorageShape(); }
  const Shape& GetOriginShape() const { return shape_.GetOriginShape(); }
  Shape& MutableStorageShape() { return shape_.MutableStorageShape(); }
  Shape& MutableOriginShape() { return shape_.MutableOriginShape(); }

  const StorageFormat& GetFormat() const { return format_; }
  ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
  ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
  ExpandDimsType GetExpandDimsType() const { return format_.GetExpandDimsType(); }
  StorageFormat& MutableFormat() { return format_; }
  void SetStorageFormat(ge::Format format) { format_.SetStorageFormat(format); }
  void SetOriginFormat(ge::Format format) { format_.SetOriginFormat(format); }

  TensorPlacement GetPlacement() const { return data_.GetPlacement(); }
  void SetPlacement(TensorPlacement placement) { data_.SetPlacement(placement); }
  const TensorData& GetTensorData() const { return data_; }
  TensorData& MutableTensorData() { return data_; }
  void SetData(TensorData&& data) { data_ = data; }

  // vinci's own: whoever reads the values is told that the definition does not say so.
  void MarkUndeclared() { undeclared_ = true; }

 private:
  int64_t bytes() const {
    const int64_t count = GetShapeSize();
    const int64_t size = ge::GetSizeInBytes(count, type_);
    return size < 0 ? 0 : size;
  }

  StorageShape shape_;  // first: the documents let one pointer serve for all three
  StorageFormat format_;
  ge::DataType type_ = ge::DT_UNDEFINED;
  TensorData data_;
  bool undeclared_ = false;
};

}  // namespace gert
