// softmax along one axis; all sources side by side.
#include "softmax_axis_tiling.h"
#include "register/op_def_registry.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  SoftmaxAxisTilingData tiling;
  const auto shape = context->GetInputTensor(0)->GetStorageShape();
  auto dim = *context->GetAttrs()->GetInt(0);
  if (dim < 0) dim += shape.GetDimNum();
  int32_t outer = 1, inner = 1, i = 0;
  for (; i < dim; i++) outer *= shape[i];
  for (i++; i < (int32_t)shape.GetDimNum(); i++) inner *= shape[i];
  tiling.set_outer(outer);
  tiling.set_length(shape[dim]);
  tiling.set_inner(inner);
  tiling.set_padded((shape[dim] + 63) / 64 * 64);
  context->SetBlockDim(1);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  size_t *currentWorkspace = context->GetWorkspaceSizes(1);
  currentWorkspace[0] = 0;
  return ge::GRAPH_SUCCESS;
}
}

namespace ge {
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return GRAPH_SUCCESS;
}
}

namespace ops {
class SoftmaxAxis : public OpDef {
 public:
  explicit SoftmaxAxis(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}).UnknownShapeFormat({ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}).UnknownShapeFormat({ge::FORMAT_ND});
    this->Attr("dim").AttrType(OPTIONAL).Int(-1);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310p");
  }
};
OP_ADD(SoftmaxAxis);
}
