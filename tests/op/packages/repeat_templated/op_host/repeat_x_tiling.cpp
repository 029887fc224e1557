#include <cstdint>
#include "../op_kernel/repeat_x_tiling_data.h"
#include "../op_kernel/repeat_x_tiling_key.h"
#include "op_common/log/log.h"
#include "op_common/op_host/util/math_util.h"
#include "op_common/op_host/util/platform_util.h"
#include "op_host/tiling_templates_registry.h"
#include "tiling_base/tiling_util.h"
#include "register/op_impl_registry.h"

namespace optiling {
using namespace Ops::Base;
using RepeatXNs::RepeatXTilingData;

struct RepeatXCompileInfo {};

ge::graphStatus TilingForRepeatX(gert::TilingContext* context)
{
    RepeatXTilingData* tiling = context->GetTilingData<RepeatXTilingData>();
    OP_CHECK_NULL_WITH_CONTEXT(context, tiling);
    OP_CHECK_IF(memset_s(tiling, sizeof(RepeatXTilingData), 0, sizeof(RepeatXTilingData)) != EOK,
                OP_LOGE(context, "set tiling data error"), return ge::GRAPH_FAILED);
    const auto xShape = context->GetRequiredInputShape(0)->GetStorageShape();
    const auto repeats = context->GetRequiredInputTensor(1);
    tiling->times = repeats->GetDataType() == ge::DT_INT32 ? *repeats->GetData<int32_t>() : *repeats->GetData<int64_t>();
    tiling->rows = xShape.GetDim(0);
    tiling->row = tiling->rows == 0 ? 0 : xShape.GetShapeSize() / tiling->rows;
    const int64_t cores = static_cast<int64_t>(platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAiv());
    const int64_t align = 64 / static_cast<int64_t>(GetUbBlockSize(context) / 16);  // rows of a core: whole cache lines
    tiling->perCore = CeilAlign(CeilDiv(tiling->rows, cores), align);
    context->SetBlockDim(CeilDiv(tiling->rows, tiling->perCore));
    const bool negate = *context->GetAttrs()->GetBool(0);
    const uint32_t buffers = *context->GetAttrs()->GetInt(1);
    const uint32_t schedule = tiling->row * tiling->times > 100 ? REPEAT_X_ROWS : REPEAT_X_WHOLE;
    const uint32_t dTypeX = static_cast<uint32_t>(context->GetInputDesc(0)->GetDataType());
    const uint64_t tilingKey = GET_TPL_TILING_KEY(dTypeX, schedule, buffers, static_cast<uint32_t>(negate));
    context->SetTilingKey(tilingKey);
    context->SetScheduleMode(1);
    size_t* currentWorkspace = context->GetWorkspaceSizes(1);
    currentWorkspace[0] = 0;
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingPrepareForRepeatX([[maybe_unused]] gert::TilingParseContext* context) { return ge::GRAPH_SUCCESS; }

IMPL_OP_OPTILING(RepeatX).Tiling(TilingForRepeatX).TilingParse<RepeatXCompileInfo>(TilingPrepareForRepeatX).TilingInputsDataDependency({1});
}
