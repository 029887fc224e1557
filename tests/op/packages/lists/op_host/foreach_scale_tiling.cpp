#include "register/op_def_registry.h"
#include "log/log.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint16_t MAX_TENSOR_CONT = 50;
constexpr uint16_t MAX_CORE_CONT = 64;

BEGIN_TILING_DATA_DEF(ForeachCommonTilingData)
    TILING_DATA_FIELD_DEF(uint64_t, inputsTensorUbSize);
    TILING_DATA_FIELD_DEF_ARR(int64_t, MAX_TENSOR_CONT, tensorDataCountList);
    TILING_DATA_FIELD_DEF_ARR(uint16_t, MAX_CORE_CONT, tensorStartList);
    TILING_DATA_FIELD_DEF_ARR(uint16_t, MAX_CORE_CONT, tensorEndList);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ForeachScale, ForeachCommonTilingData)

struct ForeachCompileInfo { uint32_t coreNum; };

static ge::graphStatus Tiling4Foreach(gert::TilingContext* context)
{
    ForeachCommonTilingData tilingData;
    const uint32_t cores = static_cast<const ForeachCompileInfo*>(context->GetCompileInfo())->coreNum;
    // Whole tensors to cores, in turn.
    int64_t counts[MAX_TENSOR_CONT] = {0};
    uint16_t start[MAX_CORE_CONT] = {0}, end[MAX_CORE_CONT] = {0};
    uint32_t tensors = 0;
    for (; tensors <= MAX_TENSOR_CONT; tensors++) {
        const gert::StorageShape* shape = context->GetDynamicInputShape(0, tensors);
        if (shape == nullptr) break;
        OP_CHECK_IF(tensors == MAX_TENSOR_CONT, OP_LOGE(context, "more than %hu tensors", MAX_TENSOR_CONT), return ge::GRAPH_FAILED);
        counts[tensors] = shape->GetStorageShape().GetShapeSize();
    }
    const uint32_t used = std::min(cores, tensors);
    for (uint32_t core = 0, at = 0; core < used; ++core) {
        start[core] = at;
        at += tensors / used + (core < tensors % used ? 1 : 0);
        end[core] = at;
    }
    tilingData.set_inputsTensorUbSize(16384);
    tilingData.set_tensorDataCountList(counts);
    tilingData.set_tensorStartList(start);
    tilingData.set_tensorEndList(end);
    context->SetBlockDim(used);
    context->SetTilingKey(context->GetDynamicInputDesc(0, 0)->GetDataType() == ge::DT_FLOAT ? 2 : 3);
    tilingData.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tilingData.GetDataSize());
    size_t* workspaces = context->GetWorkspaceSizes(1);
    workspaces[0] = 16 * 1024 * 1024;
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus Prepare(gert::TilingParseContext* context)
{
    auto info = context->GetCompiledInfo<ForeachCompileInfo>();
    platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    info->coreNum = platform.GetCoreNumAiv();
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(ForeachScale).Tiling(Tiling4Foreach).TilingParse<ForeachCompileInfo>(Prepare);
}
