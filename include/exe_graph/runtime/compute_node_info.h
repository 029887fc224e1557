// An operator in a call: its names, its tensors without their values, its attributes.
#pragma once

#include "vinci/op/context_data.h"

namespace gert {

class ComputeNodeInfo {
 public:
  explicit ComputeNodeInfo(const vinci::op::ContextData& data) : data_(&data) {}

  const char* GetNodeType() const { return data_->type; }
  const char* GetNodeName() const { return data_->name; }
  size_t GetInputsNum() const { return data_->inputs.count; }
  size_t GetOutputsNum() const { return data_->outputs.count; }
  size_t GetIrInputsNum() const { return data_->inputs.declared_count; }
  size_t GetIrOutputsNum() const { return data_->outputs.declared_count; }
  const AnchorInstanceInfo* GetInputInstanceInfo(size_t declared) const {
    return data_->inputs.instances_of(declared);
  }
  const AnchorInstanceInfo* GetOutputInstanceInfo(size_t declared) const {
    return data_->outputs.instances_of(declared);
  }
  const CompileTimeTensorDesc* GetInputTdInfo(size_t index) const {
    return data_->inputs.desc("GetInputTdInfo", index);
  }
  const CompileTimeTensorDesc* GetOutputTdInfo(size_t index) const {
    return data_->outputs.desc("GetOutputTdInfo", index);
  }
  const RuntimeAttrs* GetAttrs() const { return data_->attributes; }

 private:
  const vinci::op::ContextData* data_;
};

}  // namespace gert
