// x = x + 1, where x lies.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(IncrementTiling)
TILING_DATA_FIELD_DEF(uint32_t, length);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Increment, IncrementTiling)

static ge::graphStatus Tiling(gert::TilingContext* context) {
  IncrementTiling tiling;
  tiling.set_length(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}
}

namespace ops {
class Increment : public OpDef {
 public:
  explicit Increment(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND}).AutoContiguous();
    this->Output("x").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND});
    this->AICore().SetTiling(optiling::Tiling).AddConfig("ascend910b");
  }
};
OP_ADD(Increment);
}
