// x minus the mean of all numbers: each core leaves its sum in the workspace, and reads those of all.
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(MeanAllTilingData)
  TILING_DATA_FIELD_DEF(uint32_t, count);
  TILING_DATA_FIELD_DEF(uint32_t, perCore);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(MeanAll, MeanAllTilingData)

static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    auto ascendcPlatform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const uint32_t count = context->GetInputShape(0)->GetOriginShape().GetShapeSize();
    const uint32_t cores = std::min<uint32_t>(ascendcPlatform.GetCoreNumAiv(), 6);
    MeanAllTilingData tiling;
    tiling.set_count(count);
    tiling.set_perCore(((count + cores - 1) / cores + 15) / 16 * 16);
    context->SetBlockDim((count + tiling.get_perCore() - 1) / tiling.get_perCore());
    context->SetScheduleMode(1);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    size_t usrSize = cores * 64;
    uint32_t sysWorkspaceSize = ascendcPlatform.GetLibApiWorkSpaceSize();
    size_t* currentWorkspace = context->GetWorkspaceSizes(1);
    currentWorkspace[0] = usrSize + sysWorkspaceSize;
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferShape(gert::InferShapeContext* context)
{
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class MeanAll : public OpDef {
public:
    explicit MeanAll(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->SetInferShape(optiling::InferShape);
        this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
    }
};
OP_ADD(MeanAll);
}  // namespace ops
