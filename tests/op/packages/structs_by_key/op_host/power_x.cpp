// (scale * x) ^ exponent: by multiplying if the exponent is a whole number (key 1), else by exp and
// ln (key 3). A struct for each key.
#include "register/op_def_registry.h"
#include "../op_kernel/power_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    const float exponent = *context->GetAttrs()->GetFloat(0);
    const float scale = *context->GetAttrs()->GetFloat(1);
    const uint64_t count = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    if (exponent == static_cast<int32_t>(exponent) && exponent >= 0) {
        auto* tiling = context->GetTilingData<PowerWholeTilingData>();
        if (tiling == nullptr) return ge::GRAPH_FAILED;
        *tiling = PowerWholeTilingData{{count, scale}, static_cast<int32_t>(exponent)};
        context->SetTilingKey(1);
    } else {
        auto* tiling = context->GetTilingData<PowerRealTilingData>();
        tiling->common.count = count;
        tiling->common.scale = scale;
        tiling->exponent = exponent;
        for (int i = 0; i < 5; ++i) tiling->flags[i] = i + 1;
        context->SetTilingKey(3);
    }
    context->SetBlockDim(1);
    size_t* currentWorkspace = context->GetWorkspaceSizes(1);
    currentWorkspace[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class PowerX : public OpDef {
public:
    explicit PowerX(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}).Follow("x");
        this->Attr("exponent").AttrType(REQUIRED).Float();
        this->Attr("scale").AttrType(OPTIONAL).Float(1.0);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(PowerX);
}  // namespace ops
