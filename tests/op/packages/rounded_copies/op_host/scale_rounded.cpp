// y = x * 2 of up to 4096 floats, of which `computed` are computed; 0: all.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ScaleRoundedTilingData)
  TILING_DATA_FIELD_DEF(uint32_t, total);
  TILING_DATA_FIELD_DEF(uint32_t, computed);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaleRounded, ScaleRoundedTilingData)

static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    ScaleRoundedTilingData tiling;
    const uint32_t total = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    const uint32_t computed = *context->GetAttrs()->GetInt(0);
    tiling.set_total(total);
    tiling.set_computed(computed == 0 ? total : computed);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return context->SetBlockDim(1);
}
static ge::graphStatus InferShape(gert::InferShapeContext* context)
{
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}
}

namespace ops {
class ScaleRounded : public OpDef {
public:
    explicit ScaleRounded(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Attr("computed").AttrType(OPTIONAL).Int(0);
        this->SetInferShape(optiling::InferShape);
        this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
    }
};
OP_ADD(ScaleRounded);
}
