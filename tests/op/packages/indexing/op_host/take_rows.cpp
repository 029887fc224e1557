// y[i, :] = x[indices[i], :]; negative indices count from behind. A tiling key for each index type.
#include "index_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"
#define UNUSED(x) (void)(x)

namespace optiling {
enum class KEY : uint64_t { INT32 = 10, INT64 = 20 };
constexpr int32_t ALIGN_32 = 32;

template <typename T1, typename T2> auto CeilDiv(T1 a, T2 b) -> T1 { return b == 0 ? a : (a + b - 1) / b; }

static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    IndexTilingData tiling;
    const gert::StorageShape* x = context->GetInputShape(0);
    const gert::StorageShape* indices = context->GetInputShape(1);
    auto plat = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    int64_t row = 1;
    for (size_t i = 1; i < x->GetOriginShape().GetDimNum(); i++) {
        row *= x->GetOriginShape().GetDim(i);
    }
    int64_t count = indices->GetStorageShape().GetShapeSize();
    int64_t perCore = CeilDiv(count, plat.GetCoreNumAiv());
    // rows of several cores must not share a cache line
    const int64_t bytes = row * ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType());
    if (bytes % 64 != 0) {
        perCore = CeilDiv(perCore, 64) * 64;
    }
    tiling.set_count(count);
    tiling.set_row(row);
    tiling.set_rows(x->GetOriginShape().GetDim(0));
    tiling.set_perCore(perCore);
    context->SetTilingKey(static_cast<uint64_t>(
        context->GetInputDesc(1)->GetDataType() == ge::DT_INT64 ? KEY::INT64 : KEY::INT32));
    context->SetBlockDim(CeilDiv(count, perCore));
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    size_t usrSize = 0, sysWorkspaceSize = plat.GetLibApiWorkSpaceSize();
    size_t* currentWorkspace = context->GetWorkspaceSizes(1);
    currentWorkspace[0] = usrSize + sysWorkspaceSize;
    UNUSED(ALIGN_32);
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferShape(gert::InferShapeContext* context)
{
    const gert::Shape* x = context->GetInputShape(0);
    const gert::Shape* indices = context->GetInputShape(1);
    gert::Shape out;
    out.SetDimNum(0);
    for (size_t i = 0; i < indices->GetDimNum(); ++i) out.AppendDim(indices->GetDim(i));
    for (size_t i = 1; i < x->GetDimNum(); ++i) out.AppendDim(x->GetDim(i));
    *context->GetOutputShape(0) = out;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class TakeRows : public OpDef {
public:
    explicit TakeRows(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataTypeList({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT8});
        this->Input("indices").ParamType(REQUIRED).DataTypeList({ge::DT_INT32, ge::DT_INT64});
        this->Output("y").ParamType(REQUIRED).Follow("x", FollowType::DTYPE);
        this->SetInferShape(optiling::InferShape);
        this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b").AddConfig("ascend910_93");
    }
};
OP_ADD(TakeRows);
}  // namespace ops
