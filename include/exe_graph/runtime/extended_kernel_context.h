// What host functions can ask: the node's names, tensors, attributes.
#pragma once

#include "exe_graph/runtime/compute_node_info.h"
#include "exe_graph/runtime/kernel_context.h"

namespace gert {

class ExtendedKernelContext : public KernelContext {
 public:
  using KernelContext::KernelContext;

  const CompileTimeTensorDesc* GetInputDesc(size_t index) const {
    return data_->inputs.desc("GetInputDesc", index);
  }
  const CompileTimeTensorDesc* GetOutputDesc(size_t index) const {
    return data_->outputs.desc("GetOutputDesc", index);
  }
  const CompileTimeTensorDesc* GetOptionalInputDesc(size_t declared) const {
    return desc_of(data_->inputs.at("GetOptionalInputDesc", declared, 0));
  }
  const CompileTimeTensorDesc* GetRequiredInputDesc(size_t declared) const {
    return desc_of(data_->inputs.at("GetRequiredInputDesc", declared, 0));
  }
  const CompileTimeTensorDesc* GetDynamicInputDesc(size_t declared, size_t index) const {
    return desc_of(data_->inputs.at("GetDynamicInputDesc", declared, index));
  }
  const CompileTimeTensorDesc* GetRequiredOutputDesc(size_t declared) const {
    return desc_of(data_->outputs.at("GetRequiredOutputDesc", declared, 0));
  }
  const CompileTimeTensorDesc* GetDynamicOutputDesc(size_t declared, size_t index) const {
    return desc_of(data_->outputs.at("GetDynamicOutputDesc", declared, index));
  }

  const AnchorInstanceInfo* GetIrInputInstanceInfo(size_t declared) const {
    return data_->inputs.instances_of(declared);
  }
  const AnchorInstanceInfo* GetIrOutputInstanceInfo(size_t declared) const {
    return data_->outputs.instances_of(declared);
  }
  size_t GetComputeNodeInputNum() const { return data_->inputs.count; }
  size_t GetComputeNodeOutputNum() const { return data_->outputs.count; }
  size_t GetIrInputsNum() const { return data_->inputs.declared_count; }
  size_t GetIrOutputsNum() const { return data_->outputs.declared_count; }

  const char* GetNodeType() const { return data_->type; }
  const char* GetNodeName() const { return data_->name; }
  const char* GetKernelName() const { return data_->name; }
  const char* GetKernelType() const { return data_->type; }
  const ComputeNodeInfo* GetComputeNodeInfo() const { return data_->node; }
  const RuntimeAttrs* GetAttrs() const { return data_->attributes; }

 protected:
  static const CompileTimeTensorDesc* desc_of(const vinci::op::TensorSlot* slot) {
    return slot == nullptr ? nullptr : &slot->desc;
  }
  static const Tensor* tensor_of(const vinci::op::TensorSlot* slot) {
    return slot == nullptr ? nullptr : &slot->tensor;
  }
  static const StorageShape* storage_shape_of(const vinci::op::TensorSlot* slot) {
    return slot == nullptr ? nullptr : &slot->tensor.GetShape();
  }
  static const Shape* shape_of(const vinci::op::TensorSlot* slot) {
    return slot == nullptr ? nullptr : &slot->tensor.GetOriginShape();
  }
};

// Of functions that may read inputs, too: by their number; by the number of the declared parameter.
class TensorContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;

  const Tensor* GetInputTensor(size_t index) const {
    return tensor_of(data_->inputs.at("GetInputTensor", index));
  }
  const Tensor* GetOptionalInputTensor(size_t declared) const {
    return tensor_of(data_->inputs.at("GetOptionalInputTensor", declared, 0));
  }
  const Tensor* GetRequiredInputTensor(size_t declared) const {
    return tensor_of(data_->inputs.at("GetRequiredInputTensor", declared, 0));
  }
  const Tensor* GetDynamicInputTensor(size_t declared, size_t index) const {
    return tensor_of(data_->inputs.at("GetDynamicInputTensor", declared, index));
  }
};

}  // namespace gert
