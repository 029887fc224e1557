// What an InferDataType function is given: the types of the inputs; it sets those of the outputs.
#pragma once

#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {

class InferDataTypeContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;

  // DT_UNDEFINED, if there is no such tensor.
  ge::DataType GetInputDataType(size_t index) const {
    return type_of(data_->inputs.at("GetInputDataType", index));
  }
  ge::DataType GetOptionalInputDataType(size_t declared) const {
    return type_of(data_->inputs.at("GetOptionalInputDataType", declared, 0));
  }
  ge::DataType GetRequiredInputDataType(size_t declared) const {
    return type_of(data_->inputs.at("GetRequiredInputDataType", declared, 0));
  }
  ge::DataType GetDynamicInputDataType(size_t declared, size_t index) const {
    return type_of(data_->inputs.at("GetDynamicInputDataType", declared, index));
  }
  ge::DataType GetOutputDataType(size_t index) const {
    return type_of(data_->outputs.at("GetOutputDataType", index));
  }
  ge::graphStatus SetOutputDataType(size_t index, ge::DataType type) {
    auto* slot = data_->outputs.at("SetOutputDataType", index);
    if (slot == nullptr) {
      vinci::op::mistake("the operator has fewer outputs than the index says", "");
      return ge::GRAPH_FAILED;
    }
    slot->desc.SetDataType(type);
    return ge::GRAPH_SUCCESS;
  }

 private:
  static ge::DataType type_of(const vinci::op::TensorSlot* slot) {
    return slot == nullptr ? ge::DT_UNDEFINED : slot->desc.GetDataType();
  }
};

}  // namespace gert
