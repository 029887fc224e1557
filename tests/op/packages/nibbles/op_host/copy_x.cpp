// Elements of int4 as they are. It infers nothing.
#include "register/op_def_registry.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(CopyXTiling)
  TILING_DATA_FIELD_DEF(uint32_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(CopyX, CopyXTiling)

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  CopyXTiling tiling;
  tiling.set_count(context->GetInputTensor(0)->GetShapeSize());
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class CopyX : public OpDef {
 public:
  explicit CopyX(const char* name) : OpDef(name) {
    this->Input("x").ParamType(DYNAMIC).DataType({ge::DT_INT4});
    this->Output("copied").ParamType(REQUIRED).DataType({ge::DT_INT4});
    this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
  }
};
OP_ADD(CopyX);
}  // namespace ops
