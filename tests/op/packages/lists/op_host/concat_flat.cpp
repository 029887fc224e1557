// All tensors of a list, flattened, one behind the other.
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr size_t MAX_TENSORS = 32;
BEGIN_TILING_DATA_DEF(ConcatFlatTiling)
  TILING_DATA_FIELD_DEF(uint32_t, tensors);
  TILING_DATA_FIELD_DEF_ARR(int64_t, 32, lengths);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ConcatFlat, ConcatFlatTiling)

static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    ConcatFlatTiling tiling;
    int64_t lengths[MAX_TENSORS] = {0};
    auto computeNodeInfo = context->GetComputeNodeInfo();
    if (computeNodeInfo == nullptr) return ge::GRAPH_FAILED;
    auto anchorInstanceInfo = computeNodeInfo->GetInputInstanceInfo(0);
    uint32_t count = anchorInstanceInfo->GetInstanceNum();
    if (count > MAX_TENSORS) return ge::GRAPH_FAILED;
    for (uint32_t i = 0; i < count; i++) {
        auto shape = context->GetDynamicInputShape(0, i);
        auto desc = context->GetDynamicInputDesc(0, i);
        if (shape == nullptr || desc->GetDataType() != context->GetInputDesc(0)->GetDataType()) return ge::GRAPH_FAILED;
        lengths[i] = shape->GetStorageShape().GetShapeSize();
    }
    if (context->GetDynamicInputShape(0, count) != nullptr) return ge::GRAPH_FAILED;
    tiling.set_tensors(count);
    tiling.set_lengths(lengths);
    context->SetBlockDim(1);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context)
{
    int64_t sum = 0;
    const size_t count = context->GetIrInputInstanceInfo(0)->GetInstanceNum();
    for (size_t i = 0; i < count; ++i) sum += context->GetDynamicInputShape(0, i)->GetShapeSize();
    *context->GetOutputShape(0) = gert::Shape({sum});
    return GRAPH_SUCCESS;
}
static graphStatus InferDataType(gert::InferDataTypeContext* context)
{
    context->SetOutputDataType(0, context->GetDynamicInputDataType(0, 0));
    return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class ConcatFlat : public OpDef {
public:
    explicit ConcatFlat(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(DYNAMIC).DataType({ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_INT8});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_INT8});
        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
    }
};
OP_ADD(ConcatFlat);
}  // namespace ops
