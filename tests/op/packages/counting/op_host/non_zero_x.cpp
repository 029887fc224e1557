// Where numbers are not 0: the kernel says how many there are.
#include "register/op_def_registry.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(NonZeroXTiling)
  TILING_DATA_FIELD_DEF(uint32_t, count);
  TILING_DATA_FIELD_DEF(uint32_t, rank);
  TILING_DATA_FIELD_DEF_ARR(uint32_t, 8, dims);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(NonZeroX, NonZeroXTiling)

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  NonZeroXTiling tiling;
  uint32_t dims[8] = {};
  const auto& shape = context->GetInputShape(0)->GetStorageShape();
  for (size_t i = 0; i < shape.GetDimNum(); ++i) dims[i] = shape.GetDim(i);
  tiling.set_count(shape.GetShapeSize());
  tiling.set_rank(shape.GetDimNum());
  tiling.set_dims(dims);
  context->SetBlockDim(1);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

// As many as there can be.
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
  const gert::Shape* x = context->GetInputShape(0);
  gert::Shape* values = context->GetOutputShape(0);
  gert::Shape* places = context->GetOutputShape(1);
  values->SetDimNum(0);
  values->AppendDim(x->GetShapeSize());
  places->SetDimNum(2);
  places->SetDim(0, x->GetShapeSize());
  places->SetDim(1, x->GetDimNum());
  return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferDataType(gert::InferDataTypeContext* context) {
  context->SetOutputDataType(0, context->GetInputDataType(0));
  context->SetOutputDataType(1, ge::DT_INT64);
  context->SetOutputDataType(2, ge::DT_INT32);
  return ge::GRAPH_SUCCESS;
}
static ge::graphStatus WithCount(gert::InferShapeContext* context) {
  *context->GetOutputShape(2) = {1};
  return InferShape(context);
}
}  // namespace optiling

namespace ops {
class NonZeroX : public OpDef {
 public:
  explicit NonZeroX(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32});
    this->Output("values").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32}).OutputShapeDependOnCompute();
    this->Output("places").ParamType(REQUIRED).DataType({ge::DT_INT64, ge::DT_INT64}).OutputShapeDependOnCompute();
    this->Output("count").ParamType(REQUIRED).DataType({ge::DT_INT32, ge::DT_INT32});
    this->SetInferShape(optiling::WithCount).SetInferDataType(optiling::InferDataType);
    this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
  }
};
OP_ADD(NonZeroX);
}  // namespace ops
