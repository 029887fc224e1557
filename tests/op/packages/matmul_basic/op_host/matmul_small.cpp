// a (m x k, half) times b (k x n, half), + bias (n, float) if there is one: 16 rows of a to a block.
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(MatmulSmallTilingData)
  TILING_DATA_FIELD_DEF(int32_t, m);
  TILING_DATA_FIELD_DEF(int32_t, n);
  TILING_DATA_FIELD_DEF(int32_t, k);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(MatmulSmall, MatmulSmallTilingData)

static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    MatmulSmallTilingData tiling;
    auto shape_a = context->GetInputTensor(0)->GetOriginShape();
    auto shape_b = context->GetInputTensor(1)->GetOriginShape();
    int32_t M = shape_a.GetDim(0), N = shape_b.GetDim(1), K = shape_a.GetDim(1);
    if (K != shape_b.GetDim(0) || K > 128 || N > 128) return ge::GRAPH_FAILED;
    tiling.set_m(M);
    tiling.set_n(N);
    tiling.set_k(K);
    auto ascendcPlatform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    if (static_cast<uint32_t>((M + 15) / 16) > ascendcPlatform.GetCoreNumAic()) return ge::GRAPH_FAILED;
    context->SetBlockDim((M + 15) / 16);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = ascendcPlatform.GetLibApiWorkSpaceSize();
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferShape(gert::InferShapeContext* context)
{
    const gert::Shape a = *context->GetInputShape(0), b = *context->GetInputShape(1);
    *context->GetOutputShape(0) = gert::Shape{a.GetDim(0), b.GetDim(1)};
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class MatmulSmall : public OpDef {
public:
    explicit MatmulSmall(const char* name) : OpDef(name)
    {
        this->Input("a").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        this->Input("b").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        this->Output("c").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->SetInferShape(optiling::InferShape);
        this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b").AddConfig("ascend910_93");
    }
};
OP_ADD(MatmulSmall);
}  // namespace ops
