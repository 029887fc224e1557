// What an InferShape function is given: the shapes of the inputs, and those of the outputs to fill.
#pragma once

#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {

class InferShapeContext : public TensorContext {
 public:
  using TensorContext::TensorContext;

  const Shape* GetInputShape(size_t index) const {
    return shape_of(data_->inputs.at("GetInputShape", index));
  }
  const Shape* GetOptionalInputShape(size_t declared) const {
    return shape_of(data_->inputs.at("GetOptionalInputShape", declared, 0));
  }
  const Shape* GetRequiredInputShape(size_t declared) const {
    return shape_of(data_->inputs.at("GetRequiredInputShape", declared, 0));
  }
  const Shape* GetDynamicInputShape(size_t declared, size_t index) const {
    return shape_of(data_->inputs.at("GetDynamicInputShape", declared, index));
  }
  Shape* GetOutputShape(size_t index) {
    auto* slot = data_->outputs.at("GetOutputShape", index);
    return slot == nullptr ? nullptr : &slot->tensor.MutableOriginShape();
  }
};

}  // namespace gert
