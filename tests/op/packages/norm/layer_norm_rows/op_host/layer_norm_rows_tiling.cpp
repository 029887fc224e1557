#include <cstring>
#include "error/ops_error.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "platform/platform_infos_def.h"
#include "../op_kernel/layer_norm_rows_tiling_data.h"

namespace optiling {
struct LayerNormRowsCompileInfo {
    uint32_t coreNum;
    uint64_t ubSize;
    bool isSplit;
};

static ge::graphStatus LayerNormRowsTiling(gert::TilingContext* context)
{
    auto ptrCompileInfo = context->GetCompileInfo<LayerNormRowsCompileInfo>();
    OPS_LOG_E_IF_NULL(context, ptrCompileInfo, return ge::GRAPH_FAILED);
    const auto& shape = context->GetInputShape(0)->GetStorageShape();
    int64_t begin = *context->GetAttrs()->GetAttrPointer<int64_t>(0);
    begin = begin < 0 ? begin + static_cast<int64_t>(shape.GetDimNum()) : begin;
    LayerNormRowsTilingData data{};
    data.rows = data.columns = 1;
    for (size_t i = 0; i < shape.GetDimNum(); ++i) {
        (static_cast<int64_t>(i) < begin ? data.rows : data.columns) *= shape.GetDim(i);
    }
    OPS_ERR_IF(data.columns > 8192, OPS_LOG_E(context->GetNodeName(), "rows of %u do not fit", data.columns),
               return ge::GRAPH_FAILED);
    // mean and rstd of a core fill cache lines of their own
    const uint32_t perCore = (data.rows + ptrCompileInfo->coreNum - 1) / ptrCompileInfo->coreNum;
    data.rowsPerCore = (perCore + 15) / 16 * 16;
    data.epsilon = *context->GetAttrs()->GetAttrPointer<float>(1);
    data.hasGamma = context->GetOptionalInputShape(1) == nullptr ? 0 : 1;
    data.hasBeta = context->GetOptionalInputDesc(2) == nullptr ? 0 : 1;
    if (data.hasGamma && context->GetOptionalInputShape(1)->GetStorageShape().GetShapeSize() != data.columns) {
        OPS_LOG_E(context->GetNodeName(), "gamma has not %u elements", data.columns);
        return ge::GRAPH_PARAM_INVALID;
    }
    context->SetBlockDim((data.rows + data.rowsPerCore - 1) / data.rowsPerCore);
    if (!ptrCompileInfo->isSplit) return ge::GRAPH_FAILED;
    auto rawTilingData = context->GetRawTilingData();
    if (memcpy_s(rawTilingData->GetData(), rawTilingData->GetCapacity(), &data, sizeof(data)) != EOK) {
        return ge::GRAPH_FAILED;
    }
    rawTilingData->SetDataSize(sizeof(data));
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus LayerNormRowsParse(gert::TilingParseContext* context)
{
    fe::PlatFormInfos* platformInfoPtr = context->GetPlatformInfo();
    auto compileInfoPtr = context->GetCompiledInfo<LayerNormRowsCompileInfo>();
    compileInfoPtr->coreNum = platformInfoPtr->GetCoreNumByType("VectorCore");
    platformInfoPtr->GetLocalMemSize(fe::LocalMemType::UB, compileInfoPtr->ubSize);
    std::string val;
    platformInfoPtr->GetPlatformResWithLock("SoCInfo", "core_type_list", val);
    compileInfoPtr->isSplit = val.find("VectorCore") != std::string::npos;
    return ge::GRAPH_SUCCESS;
}
IMPL_OP_OPTILING(LayerNormRows).Tiling(LayerNormRowsTiling).TilingParse<LayerNormRowsCompileInfo>(LayerNormRowsParse);
}  // namespace optiling
