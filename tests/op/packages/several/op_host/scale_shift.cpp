// y = x * factor + shift, where attributes of all kinds make factor and shift.
#include <cstring>

#include "register/op_def_registry.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ScaleShiftTiling)
  TILING_DATA_FIELD_DEF(uint32_t, length);
  TILING_DATA_FIELD_DEF(float, factor);
  TILING_DATA_FIELD_DEF_ARR(float, 2, shifts);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaleShift, ScaleShiftTiling)

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  ScaleShiftTiling tiling;
  const gert::RuntimeAttrs* attrs = context->GetAttrs();
  const bool negate = *attrs->GetBool(0);
  const int64_t times = *attrs->GetInt(1);
  const float factor = *attrs->GetFloat(2);
  const char* mode = attrs->GetStr(3);
  const auto* ints = attrs->GetListInt(4);
  const auto* floats = attrs->GetListFloat(5);
  const auto* bools = attrs->GetAttrPointer<gert::TypedContinuousVector<bool>>(6);
  float shifts[2] = {0, 0};
  for (size_t i = 0; i < ints->GetSize(); ++i) shifts[0] += ints->GetData()[i];
  for (size_t i = 0; i < floats->GetSize(); ++i) {
    if (i >= bools->GetSize() || bools->GetData()[i]) shifts[1] += floats->GetData()[i];
  }
  tiling.set_length(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  tiling.set_factor((negate ? -1.0f : 1.0f) * factor * times);
  if (strcmp(mode, "plain") == 0) shifts[0] = shifts[1] = 0;
  tiling.set_shifts(shifts);
  context->SetTilingKey(context->GetInputDesc(0)->GetDataType() == ge::DT_INT32 ? 2 : 1);
  context->SetBlockDim(1);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferShape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class ScaleShift : public OpDef {
 public:
  explicit ScaleShift(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32});
    this->Attr("negate").AttrType(OPTIONAL).Bool(false);
    this->Attr("times").AttrType(OPTIONAL).Int(1);
    this->Attr("factor").AttrType(REQUIRED).Float();
    this->Attr("mode").AttrType(OPTIONAL).String("shifted");
    this->Attr("ints").AttrType(OPTIONAL).ListInt({});
    this->Attr("floats").AttrType(OPTIONAL).ListFloat({0.5f, 0.25f});
    this->Attr("which").AttrType(OPTIONAL).ListBool({true, true});
    this->SetInferShape(optiling::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend310b").AddConfig("ascend910b");
  }
};
OP_ADD(ScaleShift);
}  // namespace ops
