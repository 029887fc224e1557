// What is known of an operator's tensors without their values, and which of them belong to which
// declared parameter.
#pragma once

#include <cstddef>
#include <cstdint>

#include "exe_graph/runtime/storage_format.h"

namespace gert {

class CompileTimeTensorDesc {
 public:
  CompileTimeTensorDesc() = default;
  CompileTimeTensorDesc(ge::DataType type, const StorageFormat& format)
      : type_(type), format_(format) {}

  ge::DataType GetDataType() const { return type_; }
  const StorageFormat& GetFormat() const { return format_; }
  ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
  ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
  ExpandDimsType GetExpandDimsType() const { return format_.GetExpandDimsType(); }
  void SetDataType(ge::DataType type) { type_ = type; }
  void SetStorageFormat(ge::Format format) { format_.SetStorageFormat(format); }
  void SetOriginFormat(ge::Format format) { format_.SetOriginFormat(format); }

 private:
  ge::DataType type_ = ge::DT_UNDEFINED;
  StorageFormat format_;
};

// The tensors of one declared parameter: none of an optional one that is absent, any number of a
// dynamic one.
class AnchorInstanceInfo {
 public:
  AnchorInstanceInfo() = default;
  AnchorInstanceInfo(uint32_t start, uint32_t count) : start_(start), count_(count) {}

  size_t GetInstanceStart() const { return start_; }
  size_t GetInstanceNum() const { return count_; }

 private:
  uint32_t start_ = 0, count_ = 0;
};

}  // namespace gert
