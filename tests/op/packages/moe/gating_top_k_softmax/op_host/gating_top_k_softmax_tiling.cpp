#include "gating_top_k_softmax_tiling.h"

namespace optiling {
namespace {
constexpr uint32_t BYTE_BLOCK = 32;
constexpr uint64_t TILING_KEY_FP16 = 1;
constexpr uint64_t TILING_KEY_FP32 = 2;
constexpr uint64_t TILING_KEY_BF16 = 3;

class GatingTopKSoftmaxTiling {
public:
    explicit GatingTopKSoftmaxTiling(gert::TilingContext *context) : context_(context) {}
    ge::graphStatus RunTiling();

private:
    ge::graphStatus CheckParams();
    void SplitCores();
    ge::graphStatus FillTiling();

    gert::TilingContext *context_ = nullptr;
    GatingTopKSoftmaxTilingData tilingData_;
    uint32_t coreNum_ = 0;
    uint64_t ubSize_ = 0;
    uint32_t row_ = 1;
    uint32_t col_ = 0;
    uint32_t k_ = 0;
    ge::DataType dtype_ = ge::DT_UNDEFINED;
};

ge::graphStatus GatingTopKSoftmaxTiling::CheckParams()
{
    auto shapePtr = context_->GetInputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context_, shapePtr);
    const auto &shape = shapePtr->GetStorageShape();
    for (size_t i = 0; i + 1 < shape.GetDimNum(); ++i) {
        row_ *= static_cast<uint32_t>(shape.GetDim(i));
    }
    col_ = static_cast<uint32_t>(shape.GetDim(shape.GetDimNum() - 1));
    auto desc = context_->GetInputDesc(0);
    OP_CHECK_NULL_WITH_CONTEXT(context_, desc);
    dtype_ = desc->GetDataType();
    auto attrs = context_->GetAttrs();
    OP_CHECK_NULL_WITH_CONTEXT(context_, attrs);
    const int64_t *k = attrs->GetInt(0);
    OP_CHECK_NULL_WITH_CONTEXT(context_, k);
    OP_CHECK_IF(*k <= 0 || *k > static_cast<int64_t>(col_),
                OP_LOGE(context_->GetNodeName(), "k should be in (0, %u], but got %ld", col_, *k),
                return ge::GRAPH_FAILED);
    k_ = static_cast<uint32_t>(*k);
    auto finished = context_->GetOptionalInputShape(1);
    if (finished != nullptr) {
        OP_CHECK_IF(finished->GetStorageShape().GetShapeSize() != static_cast<int64_t>(row_),
                    OP_LOGE(context_->GetNodeName(), "finished must have one element for each row"),
                    return ge::GRAPH_FAILED);
    }
    tilingData_.set_hasFinished(finished != nullptr ? 1 : 0);
    const bool *renorm = attrs->GetAttrPointer<bool>(1);
    tilingData_.set_renorm(renorm != nullptr && *renorm ? 1U : 0U);
    return ge::GRAPH_SUCCESS;
}

void GatingTopKSoftmaxTiling::SplitCores()
{
    uint32_t rowsPerCore = MoeUtil::CeilDiv(row_, coreNum_);
    uint32_t used = MoeUtil::CeilDiv(row_, rowsPerCore);
    tilingData_.coreInfo.set_rowsPerCore(rowsPerCore);
    tilingData_.coreInfo.set_rowsLastCore(row_ - rowsPerCore * (used - 1));
    tilingData_.coreInfo.set_coreNum(static_cast<uint16_t>(used));
    context_->SetBlockDim(used);
}

ge::graphStatus GatingTopKSoftmaxTiling::FillTiling()
{
    uint32_t colAlign = MoeUtil::CeilAlign(col_, BYTE_BLOCK);
    tilingData_.set_row(row_);
    tilingData_.set_col(col_);
    tilingData_.set_colAlign(colAlign);
    tilingData_.set_k(k_);
    const ge::Shape softmaxShape({1, static_cast<int64_t>(colAlign)});
    const uint32_t tmpSize = AscendC::GetSoftMaxMaxTmpSize(softmaxShape, sizeof(float), false);
    AscendC::SoftMaxTilingFunc(softmaxShape, sizeof(float), tmpSize, tilingData_.softmaxTilingData);
    switch (dtype_) {
        case ge::DT_FLOAT16: context_->SetTilingKey(TILING_KEY_FP16); break;
        case ge::DT_FLOAT: context_->SetTilingKey(TILING_KEY_FP32); break;
        case ge::DT_BF16: context_->SetTilingKey(TILING_KEY_BF16); break;
        default: return ge::GRAPH_FAILED;
    }
    OP_CHECK_IF(context_->GetRawTilingData() == nullptr || context_->GetRawTilingData()->GetData() == nullptr,
                OP_LOGE(context_->GetNodeName(), "raw tiling data is null"), return ge::GRAPH_FAILED);
    tilingData_.SaveToBuffer(context_->GetRawTilingData()->GetData(), context_->GetRawTilingData()->GetCapacity());
    context_->GetRawTilingData()->SetDataSize(tilingData_.GetDataSize());
    size_t *workspaces = context_->GetWorkspaceSizes(1);
    OP_CHECK_NULL_WITH_CONTEXT(context_, workspaces);
    workspaces[0] = 16U * 1024U * 1024U;
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus GatingTopKSoftmaxTiling::RunTiling()
{
    auto compileInfo = reinterpret_cast<const GatingTopKSoftmaxCompileInfo *>(context_->GetCompileInfo());
    OP_CHECK_NULL_WITH_CONTEXT(context_, compileInfo);
    coreNum_ = compileInfo->coreNum;
    ubSize_ = compileInfo->ubSize;
    if (CheckParams() != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    SplitCores();
    return FillTiling();
}
}  // namespace

static ge::graphStatus Tiling4GatingTopKSoftmax(gert::TilingContext *context)
{
    OP_LOGI(context->GetNodeName(), "tiling begins, ub of node %s", context->GetNodeType());
    GatingTopKSoftmaxTiling tiling(context);
    return tiling.RunTiling();
}

static ge::graphStatus TilingPrepare4GatingTopKSoftmax(gert::TilingParseContext *context)
{
    auto compileInfo = context->GetCompiledInfo<GatingTopKSoftmaxCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, compileInfo);
    auto platformInfo = context->GetPlatformInfo();
    OP_CHECK_NULL_WITH_CONTEXT(context, platformInfo);
    auto ascendcPlatform = platform_ascendc::PlatformAscendC(platformInfo);
    compileInfo->coreNum = ascendcPlatform.GetCoreNumAiv();
    ascendcPlatform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, compileInfo->ubSize);
    OP_CHECK_IF(compileInfo->coreNum == 0 || compileInfo->ubSize == 0,
                OP_LOGE(context->GetNodeName(), "platform info is wrong"), return ge::GRAPH_FAILED);
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(GatingTopKSoftmax)
    .Tiling(Tiling4GatingTopKSoftmax)
    .TilingParse<GatingTopKSoftmaxCompileInfo>(TilingPrepare4GatingTopKSoftmax);
}  // namespace optiling
