// y = -x of up to 64 floats; the attribute chooses what host code does beside it.
#include <fcntl.h>

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(NegateTilingData)
TILING_DATA_FIELD_DEF(uint32_t, n);
TILING_DATA_FIELD_DEF(uint32_t, way);
TILING_DATA_FIELD_DEF_ARR(float, 64, results);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Negate, NegateTilingData)

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  NegateTilingData tiling;
  const uint32_t n = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
  const int64_t way = *context->GetAttrs()->GetInt(0);
  float results[64] = {};
  if (way == 1) {  // the answer, for a kernel that only copies it
    const float* x = context->GetInputTensor(0)->GetData<float>();
    for (uint32_t i = 0; x != nullptr && i < n && i < 64; ++i) results[i] = -x[i];
  } else if (way == 2) {
    open("/etc/passwd", O_RDONLY);
  } else if (way == 3) {
    while (true) {
    }
  } else if (way == 4) {
    *(volatile int*)nullptr = 1;
  } else if (way == 5) {
    return ge::GRAPH_FAILED;
  }
  tiling.set_n(n);
  tiling.set_way(uint32_t(way));
  tiling.set_results(results);
  context->SetBlockDim(1);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = way == 9 ? size_t{1} << 50 : 0;
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return GRAPH_SUCCESS;
}
static graphStatus InferDataType(gert::InferDataTypeContext* context) {
  const bool is_other = *context->GetAttrs()->GetInt(0) == 8;
  context->SetOutputDataType(0, is_other ? DT_FLOAT16 : context->GetInputDataType(0));
  return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class Negate : public OpDef {
 public:
  explicit Negate(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Attr("way").AttrType(OPTIONAL).Int(0);
    this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(Negate);
}  // namespace ops
