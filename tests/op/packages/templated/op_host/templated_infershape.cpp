#include "register/op_impl_registry.h"

static ge::graphStatus Shape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}
static ge::graphStatus Type(gert::InferDataTypeContext* context) {
  context->SetOutputDataType(0, context->GetInputDataType(0));
  return ge::GRAPH_SUCCESS;
}
IMPL_OP_INFERSHAPE(Templated).InferShape(Shape).InferDataType(Type);
