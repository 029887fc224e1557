// Softmax over the last axis: the definition, the shapes, and how rows are shared by the cores.
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(SoftmaxRowsTilingData)
  TILING_DATA_FIELD_DEF(uint32_t, rows);
  TILING_DATA_FIELD_DEF(uint32_t, columns);
  TILING_DATA_FIELD_DEF(float, scale);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(SoftmaxRows, SoftmaxRowsTilingData)

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  SoftmaxRowsTilingData tiling;
  const gert::Shape& shape = context->GetInputShape(0)->GetStorageShape();
  const uint32_t columns = shape.GetDim(shape.GetDimNum() - 1);
  const uint32_t rows = shape.GetShapeSize() / columns;
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  tiling.set_rows(rows);
  tiling.set_columns(columns);
  tiling.set_scale(*context->GetAttrs()->GetFloat(0));
  context->SetBlockDim(rows < platform.GetCoreNumAiv() ? rows : platform.GetCoreNumAiv());
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return GRAPH_SUCCESS;
}
static graphStatus InferDataType(gert::InferDataTypeContext* context) {
  context->SetOutputDataType(0, context->GetInputDataType(0));
  return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class SoftmaxRows : public OpDef {
 public:
  explicit SoftmaxRows(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Attr("scale").AttrType(OPTIONAL).Float(1.0);
    this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b").AddConfig("ascend910b");
  }
};
OP_ADD(SoftmaxRows);
}  // namespace ops
