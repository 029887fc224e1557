#include <string>
#include <map>
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "log/log.h"
#include "util/math_util.h"
#include "op_common/op_host/util/platform_util.h"
#include "../op_kernel/swi_glu_quant_tiling_data.h"
#include "../op_kernel/swi_glu_quant_tiling_key.h"

using Ops::Base::CeilDiv;
using Ops::Base::CeilAlign;
using Ops::Base::GetUbBlockSize;

namespace optiling {
static const std::map<ge::DataType, int> kSizes = {{ge::DT_FLOAT16, 2}, {ge::DT_BF16, 2}, {ge::DT_FLOAT, 4}};
constexpr int64_t WS_SYS_SIZE = 16777216;

struct SwiGluQuantCompileInfo {
    int32_t totalCoreNum = 0;
    uint64_t ubSizePlatForm = 0;
};

static ge::graphStatus TilingPrepareForSwiGluQuant(gert::TilingParseContext* context)
{
    OP_LOGD(context, "TilingPrepareForSwiGluQuant enter.");
    auto compileInfo = context->GetCompiledInfo<SwiGluQuantCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, compileInfo);
    fe::PlatFormInfos* platformInfo = context->GetPlatformInfo();
    OP_CHECK_NULL_WITH_CONTEXT(context, platformInfo);
    auto ascendcPlatform = platform_ascendc::PlatformAscendC(platformInfo);
    compileInfo->totalCoreNum = ascendcPlatform.GetCoreNumAiv();
    ascendcPlatform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, compileInfo->ubSizePlatForm);
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus TilingForSwiGluQuant(gert::TilingContext* context)
{
    const auto* compileInfo = context->GetCompileInfo<SwiGluQuantCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, compileInfo);
    auto xDesc = context->GetInputDesc(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, xDesc);
    auto dtype = xDesc->GetDataType();
    OP_CHECK_IF(kSizes.find(dtype) == kSizes.end(),
        OP_LOGE_FOR_INVALID_DTYPE(context->GetNodeName(), "x", Ops::Base::ToString(dtype).c_str(), "fp16, bf16, fp32"),
        return ge::GRAPH_FAILED);
    const gert::Shape shape = context->GetInputShape(0)->GetStorageShape();
    int64_t last = shape.GetDim(shape.GetDimNum() - 1);
    int64_t rows = last == 0 ? 0 : shape.GetShapeSize() / last;
    std::string mode = context->GetAttrs()->GetAttrPointer<char>(1);
    const bool isDynamic = mode == "dynamic";
    auto scales = context->GetOptionalInputTensor(1);
    auto offsets = context->GetOptionalInputShape(2);
    OP_CHECK_IF(!isDynamic && scales == nullptr, OP_LOGE(context, "static quant needs scales"), return ge::GRAPH_FAILED);

    SwiGluQuantTilingData* t = context->GetTilingData<SwiGluQuantTilingData>();
    OP_CHECK_NULL_WITH_CONTEXT(context, t);
    *t = SwiGluQuantTilingData{};
    t->rows = rows;
    t->half_ = last / 2;
    t->split.rowsPerCore = CeilDiv(rows, static_cast<int64_t>(compileInfo->totalCoreNum));
    t->split.usedCore = static_cast<int32_t>(CeilDiv(rows, t->split.rowsPerCore));
    t->split.rowsTail = rows - t->split.rowsPerCore * (t->split.usedCore - 1);
    t->activateLeft = *context->GetAttrs()->GetAttrPointer<bool>(0);
    t->epsilon = 1e-12f;
    const uint32_t ubBlock = GetUbBlockSize(context);
    t->chunk[0] = static_cast<uint32_t>(CeilAlign(t->half_, static_cast<int64_t>(ubBlock)));
    t->chunk[3] = ubBlock;

    uint64_t buf = isDynamic && t->half_ < 64 ? 1 : 2;
    ASCENDC_TPL_SEL_PARAM(context, static_cast<uint64_t>(dtype), static_cast<uint64_t>(isDynamic),
                          static_cast<uint64_t>(offsets != nullptr), buf);
    context->SetBlockDim(t->split.usedCore);
    context->SetScheduleMode(0);
    size_t* ws = context->GetWorkspaceSizes(1);
    OP_CHECK_NULL_WITH_CONTEXT(context, ws);
    ws[0] = WS_SYS_SIZE;
    OP_LOGI(context, "rows %ld, half %ld, key %lu", t->rows, t->half_, context->GetTilingKey());
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(SwiGluQuant)
    .Tiling(TilingForSwiGluQuant)
    .TilingParse<SwiGluQuantCompileInfo>(TilingPrepareForSwiGluQuant);
} // namespace optiling
