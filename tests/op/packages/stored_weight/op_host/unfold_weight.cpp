// A weight that may lie in FRACTAL_NZ, as rows; and what its tiling function sees of it.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {
constexpr uint32_t kSeen = 16;

BEGIN_TILING_DATA_DEF(UnfoldWeightTiling)
  TILING_DATA_FIELD_DEF(uint32_t, rows);
  TILING_DATA_FIELD_DEF(uint32_t, columns);
  TILING_DATA_FIELD_DEF_ARR(int32_t, kSeen, seen);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(UnfoldWeight, UnfoldWeightTiling)

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  const gert::StorageShape* weight = context->GetInputShape(0);
  const gert::CompileTimeTensorDesc* desc = context->GetInputDesc(0);
  const gert::Shape& origin = weight->GetOriginShape();
  const gert::Shape& storage = weight->GetStorageShape();
  int32_t seen[kSeen] = {};
  seen[0] = static_cast<int32_t>(desc->GetOriginFormat());
  seen[1] = static_cast<int32_t>(ge::GetPrimaryFormat(desc->GetStorageFormat()));
  seen[2] = static_cast<int32_t>(origin.GetDimNum());
  seen[3] = static_cast<int32_t>(storage.GetDimNum());
  for (size_t i = 0; i < origin.GetDimNum(); ++i) seen[4 + i] = static_cast<int32_t>(origin.GetDim(i));
  for (size_t i = 0; i < storage.GetDimNum(); ++i) seen[8 + i] = static_cast<int32_t>(storage.GetDim(i));
  seen[15] = static_cast<int32_t>(context->GetInputTensor(0)->GetShapeSize());
  UnfoldWeightTiling tiling;
  tiling.set_rows(static_cast<uint32_t>(origin.GetDim(0)));
  tiling.set_columns(static_cast<uint32_t>(origin.GetDim(1)));
  tiling.set_seen(seen);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  *context->GetOutputShape(1) = gert::Shape({static_cast<int64_t>(optiling::kSeen)});
  return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class UnfoldWeight : public OpDef {
 public:
  explicit UnfoldWeight(const char* name) : OpDef(name) {
    this->Input("weight")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_FRACTAL_NZ});
    this->Output("rows")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("seen")
        .ParamType(REQUIRED)
        .DataType({ge::DT_INT32, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(UnfoldWeight);
}  // namespace ops
