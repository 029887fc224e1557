// The k largest of each row, and where they are. k is a value of an input.
#include "register/op_def_registry.h"
#include "tiling/tiling_api.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(LargestKTilingData)
  TILING_DATA_FIELD_DEF(uint32_t, rows);
  TILING_DATA_FIELD_DEF(uint32_t, columns);
  TILING_DATA_FIELD_DEF(uint32_t, padded);
  TILING_DATA_FIELD_DEF(uint32_t, k);
  TILING_DATA_FIELD_DEF(uint32_t, tmpBytes);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(LargestK, LargestKTilingData)

static ge::graphStatus LargestKTiling(gert::TilingContext* context)
{
    const gert::Tensor* kTensor = context->GetInputTensor(1);
    if (kTensor == nullptr || kTensor->GetData<int32_t>() == nullptr) {
        return ge::GRAPH_FAILED;
    }
    auto ascendcPlatform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const auto& shape = context->GetInputShape(0)->GetStorageShape();
    const uint32_t columns = shape.GetDim(shape.GetDimNum() - 1);
    const uint32_t padded = (columns + 31) / 32 * 32;
    LargestKTilingData tiling;
    tiling.set_rows(shape.GetShapeSize() / columns);
    tiling.set_columns(columns);
    tiling.set_padded(padded);
    tiling.set_k(*kTensor->GetData<int32_t>());
    const uint32_t sort = AscendC::GetSortTmpSize(ascendcPlatform, padded, sizeof(float));
    const uint32_t concat = AscendC::GetConcatTmpSize(ascendcPlatform, padded, sizeof(float));
    tiling.set_tmpBytes(sort > concat ? sort : concat);
    if (tiling.get_k() > columns) return ge::GRAPH_FAILED;
    context->SetBlockDim(1);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = ascendcPlatform.GetLibApiWorkSpaceSize();
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus LargestKShape(gert::InferShapeContext* context)
{
    const gert::Tensor* k = context->GetInputTensor(1);
    for (size_t i = 0; i < 2; i++) {
        gert::Shape* out = context->GetOutputShape(i);
        *out = *context->GetInputShape(0);
        out->SetDim(out->GetDimNum() - 1, k->GetData<int32_t>()[0]);
    }
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus LargestKType(gert::InferDataTypeContext* context)
{
    context->SetOutputDataType(0, context->GetInputDataType(0));
    context->SetOutputDataType(1, ge::DT_INT32);
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class LargestK : public OpDef {
public:
    explicit LargestK(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("k").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND}).ValueDepend(OPTIONAL);
        this->Output("values").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("indices").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND});
        this->SetInferShape(optiling::LargestKShape).SetInferDataType(optiling::LargestKType);
        this->AICore().SetTiling(optiling::LargestKTiling);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(LargestK);
}  // namespace ops
