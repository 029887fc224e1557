// x[indices[i], :] += updates[i, :], in place, by several cores with atomic additions.
#include <algorithm>
#include "index_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
static ge::graphStatus AddToRowsTiling(gert::TilingContext* context)
{
    IndexTilingData tiling;
    const auto& var = context->GetInputShape(0)->GetStorageShape();
    const auto& updates = context->GetInputShape(2)->GetStorageShape();
    const uint64_t count = context->GetInputShape(1)->GetStorageShape().GetShapeSize();
    if (updates.GetDim(0) != static_cast<int64_t>(count)) {
        return ge::GRAPH_PARAM_INVALID;
    }
    auto plat = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const uint64_t cores = plat.GetCoreNumAiv();
    tiling.set_count(count);
    tiling.set_rows(var.GetDim(0));
    tiling.set_row(var.GetShapeSize() / var.GetDim(0));
    tiling.set_perCore((count + cores - 1) / cores);
    const uint64_t perCore = std::max<uint64_t>(tiling.get_perCore(), 1);
    context->SetBlockDim(std::max<uint64_t>((count + perCore - 1) / perCore, 1));
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus AddToRowsShape(gert::InferShapeContext* context)
{
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class AddToRows : public OpDef {
public:
    explicit AddToRows(const char* name) : OpDef(name)
    {
        this->Input("var").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32});
        this->Input("indices").ParamType(REQUIRED).DataType({ge::DT_INT64, ge::DT_INT64});
        this->Input("updates").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32});
        this->Output("var").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32});
        this->SetInferShape(optiling::AddToRowsShape);
        this->AICore().SetTiling(optiling::AddToRowsTiling).AddConfig("ascend910b");
    }
};
OP_ADD(AddToRows);
}  // namespace ops
