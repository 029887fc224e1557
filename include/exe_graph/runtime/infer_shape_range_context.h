// Ranges of shapes belong to graphs, which vinci does not run: the functions are never called.
#pragma once

#include "exe_graph/runtime/infer_shape_context.h"

namespace gert {

class InferShapeRangeContext : public InferShapeContext {
 public:
  using InferShapeContext::InferShapeContext;
};

}  // namespace gert
