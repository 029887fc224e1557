// The sum over one axis, an output row to a core in turn.
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ReduceAxisTiling)
  TILING_DATA_FIELD_DEF(uint32_t, outer);
  TILING_DATA_FIELD_DEF(uint32_t, axis);
  TILING_DATA_FIELD_DEF(uint32_t, inner);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ReduceAxis, ReduceAxisTiling)

static int64_t AxisOf(const gert::RuntimeAttrs* attrs, const gert::Shape& shape) {
  const int64_t axis = *attrs->GetAttrPointer<int64_t>(0);
  return axis < 0 ? axis + static_cast<int64_t>(shape.GetDimNum()) : axis;
}

static ge::graphStatus ReduceTiling(gert::TilingContext* context) {
  ReduceAxisTiling tiling;
  const gert::Shape& shape = context->GetInputShape(0)->GetStorageShape();
  const size_t axis = AxisOf(context->GetAttrs(), shape);
  uint32_t outer = 1, inner = 1;
  for (size_t i = 0; i < axis; ++i) outer *= shape.GetDim(i);
  for (size_t i = axis + 1; i < shape.GetDimNum(); ++i) inner *= shape.GetDim(i);
  tiling.set_outer(outer);
  tiling.set_axis(shape.GetDim(axis));
  tiling.set_inner(inner);
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  context->SetBlockDim(outer < platform.GetCoreNumAiv() ? outer : platform.GetCoreNumAiv());
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus ReduceShape(gert::InferShapeContext* context) {
  const gert::Shape& shape = *context->GetInputShape(0);
  const size_t axis = AxisOf(context->GetAttrs(), shape);
  gert::Shape* out = context->GetOutputShape(0);
  out->SetDimNum(0);
  for (size_t i = 0; i < shape.GetDimNum(); ++i) {
    if (i != axis) out->AppendDim(shape.GetDim(i));
  }
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class ReduceAxis : public OpDef {
 public:
  explicit ReduceAxis(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_INT32});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_INT32});
    this->Attr("axis").AttrType(OPTIONAL).Int(-1);
    this->SetInferShape(optiling::ReduceShape);
    this->AICore().SetTiling(optiling::ReduceTiling).AddConfig("ascend310b").AddConfig("ascend910b");
  }
};
OP_ADD(ReduceAxis);
}  // namespace ops
