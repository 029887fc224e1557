#include "reduce_mean_x_tiling.h"
#include "log/log.h"
#include "util/math_util.h"
#include "register/op_impl_registry.h"

namespace optiling {
namespace {
constexpr size_t INPUT_IDX = 0;
constexpr size_t ATTR_AXES = 0;
constexpr uint32_t PER_CORE_ALIGN = 16;  // outputs that fill a cache line
}

bool ReduceMeanXTiling::IsReduced(size_t axis) const
{
    if (axes_->GetSize() == 0) {
        return true;
    }
    for (size_t i = 0; i < axes_->GetSize(); ++i) {
        const int64_t one = axes_->GetData()[i];
        if (one == static_cast<int64_t>(axis) || one + static_cast<int64_t>(rank_) == static_cast<int64_t>(axis)) {
            return true;
        }
    }
    return false;
}

ge::graphStatus ReduceMeanXTiling::Init()
{
    auto shape = context_->GetInputShape(INPUT_IDX);
    OP_CHECK_NULL_WITH_CONTEXT(context_, shape);
    auto attrs = context_->GetAttrs();
    OP_CHECK_NULL_WITH_CONTEXT(context_, attrs);
    axes_ = attrs->GetListInt(ATTR_AXES);
    OP_CHECK_NULL_WITH_CONTEXT(context_, axes_);
    rank_ = shape->GetStorageShape().GetDimNum();
    OP_CHECK_IF(rank_ > 8, OP_LOGE(context_->GetNodeName(), "rank %zu is more than 8", rank_), return ge::GRAPH_FAILED);
    Fill();
    return ge::GRAPH_SUCCESS;
}

void ReduceMeanXTiling::Fill()
{
    const gert::Shape& shape = context_->GetInputShape(INPUT_IDX)->GetStorageShape();
    uint32_t stride = 1;
    uint32_t length[2][8] = {};
    uint32_t strides[2][8] = {};
    uint8_t count[2] = {};
    int64_t total[2] = {1, 1};
    for (size_t i = rank_; i-- > 0;) {
        const int side = IsReduced(i) ? 1 : 0;
        length[side][count[side]] = shape.GetDim(i);
        strides[side][count[side]++] = stride;
        total[side] *= shape.GetDim(i);
        stride *= shape.GetDim(i);
    }
    tilingData_.kept.set_length(length[0]);
    tilingData_.kept.set_stride(strides[0]);
    tilingData_.kept.set_count(count[0]);
    tilingData_.reduced.set_length(length[1]);
    tilingData_.reduced.set_stride(strides[1]);
    tilingData_.reduced.set_count(count[1]);
    tilingData_.set_lastReduced(count[1] != 0 && strides[1][0] == 1);
    tilingData_.set_factor(total[1] == 0 ? 0.0f : 1.0f / total[1]);
    tilingData_.set_outputs(total[0]);
}

ge::graphStatus ReduceMeanXTiling::RunKernelTiling()
{
    auto compileInfo = reinterpret_cast<const ReduceMeanXCompileInfo*>(context_->GetCompileInfo());
    OP_CHECK_NULL_WITH_CONTEXT(context_, compileInfo);
    const int64_t outputs = tilingData_.get_outputs();
    int64_t perCore = Ops::Base::CeilAlign(Ops::Base::CeilDiv(outputs, compileInfo->coreNum),
                                           static_cast<int64_t>(PER_CORE_ALIGN));
    tilingData_.set_perCore(perCore);
    context_->SetBlockDim(std::max<int64_t>(1, Ops::Base::CeilDiv(outputs, perCore)));
    context_->SetTilingKey(tilingData_.get_lastReduced() ? 101 : 100);
    OP_LOGD(context_->GetNodeName(), "outputs %ld, per core %ld, blocks %u", outputs, perCore, context_->GetBlockDim());
    tilingData_.SaveToBuffer(context_->GetRawTilingData()->GetData(), context_->GetRawTilingData()->GetCapacity());
    context_->GetRawTilingData()->SetDataSize(tilingData_.GetDataSize());
    size_t* workspaces = context_->GetWorkspaceSizes(1);
    OP_CHECK_NULL_WITH_CONTEXT(context_, workspaces);
    workspaces[0] = 16 * 1024 * 1024;
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus Tiling4ReduceMeanX(gert::TilingContext* context)
{
    ReduceMeanXTiling tiling(context);
    if (tiling.Init() != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    return tiling.RunKernelTiling();
}

static ge::graphStatus TilingPrepare4ReduceMeanX(gert::TilingParseContext* context)
{
    auto compileInfo = context->GetCompiledInfo<ReduceMeanXCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, compileInfo);
    auto platformInfo = context->GetPlatformInfo();
    OP_CHECK_NULL_WITH_CONTEXT(context, platformInfo);
    auto ascendcPlatform = platform_ascendc::PlatformAscendC(platformInfo);
    compileInfo->coreNum = ascendcPlatform.GetCoreNumAiv();
    ascendcPlatform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, compileInfo->ubSize);
    OP_CHECK_IF((compileInfo->coreNum <= 0), OP_LOGE(context->GetNodeName(), "no cores"), return ge::GRAPH_FAILED);
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(ReduceMeanX)
    .Tiling(Tiling4ReduceMeanX)
    .TilingParse<ReduceMeanXCompileInfo>(TilingPrepare4ReduceMeanX);
}  // namespace optiling
