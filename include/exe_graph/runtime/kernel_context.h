// The base of what host functions are given.
#pragma once

#include "vinci/op/context_data.h"

namespace gert {

class KernelContext {
 public:
  explicit KernelContext(vinci::op::ContextData& data) : data_(&data) {}
  KernelContext(const KernelContext&) = delete;
  KernelContext& operator=(const KernelContext&) = delete;

  // Where the pointer stands that ContextBuilder's Inputs or Outputs has at `index`; nullptr if
  // they have fewer.
  template <typename T>
  const T* GetInputPointer(size_t index) const {
    return reinterpret_cast<const T*>(data_->input_pointers.at("GetInputPointer", index));
  }
  template <typename T>
  T* GetOutputPointer(size_t index) {
    return reinterpret_cast<T*>(data_->output_pointers.at("GetOutputPointer", index));
  }
  size_t GetInputNum() const { return data_->input_pointers.count; }
  size_t GetOutputNum() const { return data_->output_pointers.count; }

 protected:
  vinci::op::ContextData* data_;
};

}  // namespace gert
