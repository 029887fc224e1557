// y = x + by, of int32 or half.
#include "shift_custom_tiling.h"
#include "graph/operator_reg.h"
#include "register/op_def_registry.h"
#include "register/op_tiling_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  TilingData tiling;
  auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const uint32_t total = context->GetInputShape(0)->GetOriginShape().GetShapeSize();
  const uint32_t blocks = total % 8 == 0 && platform.GetCoreNumAiv() >= 8 ? 8 : 1;
  context->SetBlockDim(blocks);
  tiling.set_length(total / blocks);
  tiling.set_by(*context->GetAttrs()->GetAttrPointer<int64_t>(0));
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  size_t* currentWorkspace = context->GetWorkspaceSizes(1);
  currentWorkspace[0] = 0;
  return ge::GRAPH_SUCCESS;
}
}

namespace ge {
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return GRAPH_SUCCESS;
}

REG_OP(ShiftCustom)
    .INPUT(x, TensorType({DT_INT32, DT_FLOAT16}))
    .OUTPUT(y, TensorType({DT_INT32, DT_FLOAT16}))
    .ATTR(by, Int, 1)
    .ATTR(none, ListInt, {1, 2})
    .OP_END_FACTORY_REG(ShiftCustom);
}

namespace ops {
class ShiftCustom : public OpDef {
 public:
  explicit ShiftCustom(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_INT32, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND}).UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_INT32, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND}).UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("by").AttrType(OPTIONAL).Int(1);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(ShiftCustom);
}
