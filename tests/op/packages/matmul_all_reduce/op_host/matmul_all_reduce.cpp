#include "../op_kernel/matmul_all_reduce_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/hccl/hccl_tiling.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    const auto& a = context->GetInputTensor(0)->GetOriginShape();
    const auto& b = context->GetInputTensor(1)->GetOriginShape();
    const char* group = context->GetAttrs()->GetAttrPointer<char>(0);
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    auto* tiling = context->GetTilingData<MatmulAllReduceTilingData>();
    matmul_tiling::MultiCoreMatmulTiling cube(platform);
    using matmul_tiling::CubeFormat;
    using matmul_tiling::TPosition;
    cube.SetDim(2);
    cube.SetAType(TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    cube.SetBType(TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    cube.SetCType(TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT);
    cube.SetShape(a.GetDim(0), b.GetDim(1), a.GetDim(1));
    cube.SetOrgShape(a.GetDim(0), b.GetDim(1), a.GetDim(1));
    cube.SetBias(false);
    cube.SetBufferSpace(-1, -1, -1);
    if (cube.GetTiling(tiling->cubeTiling) == -1) {
        return ge::GRAPH_FAILED;
    }
    AscendC::Mc2CcTilingConfig config(group, HCCL_CMD_ALLREDUCE, "AllReduce=level0:doublering", HCCL_REDUCE_SUM);
    if (config.GetTiling(tiling->mc2InitTiling) != 0 || config.GetTiling(tiling->mc2CcTiling) != 0) {
        return ge::GRAPH_FAILED;
    }
    context->SetBlockDim(2);
    size_t* workspace = context->GetWorkspaceSizes(1);
    workspace[0] = platform.GetLibApiWorkSpaceSize() + a.GetDim(0) * b.GetDim(1) * sizeof(float);
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferShape(gert::InferShapeContext* context)
{
    *context->GetOutputShape(0) =
        gert::Shape({context->GetInputShape(0)->GetDim(0), context->GetInputShape(1)->GetDim(1)});
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class MatmulAllReduceCustom : public OpDef {
public:
    explicit MatmulAllReduceCustom(const char* name) : OpDef(name)
    {
        this->Input("a").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        this->Input("b").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        this->Output("c").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Attr("group").AttrType(REQUIRED).String();
        this->SetInferShape(optiling::InferShape);
        this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
        this->MC2().HcclGroup("group");
    }
};
OP_ADD(MatmulAllReduceCustom);
}  // namespace ops
