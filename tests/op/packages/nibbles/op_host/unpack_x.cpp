// Elements of int4 as half, and as they are; bytes, too.
#include "register/op_def_registry.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(UnpackXTiling)
  TILING_DATA_FIELD_DEF(uint32_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(UnpackX, UnpackXTiling)

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  UnpackXTiling tiling;
  tiling.set_count(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  *context->GetOutputShape(1) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class UnpackX : public OpDef {
 public:
  explicit UnpackX(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_INT4, ge::DT_INT8});
    this->Output("values").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT16});
    this->Output("copied").ParamType(REQUIRED).DataType({ge::DT_INT4, ge::DT_INT8});
    this->SetInferShape(optiling::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
  }
};
OP_ADD(UnpackX);
}  // namespace ops
