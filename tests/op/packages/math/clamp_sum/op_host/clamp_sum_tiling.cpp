#include "clamp_sum_tiling.h"

namespace optiling {
ge::graphStatus ClampSumBase::GetPlatformInfo()
{
    auto platformInfo = context_->GetPlatformInfo();
    if (platformInfo == nullptr) {
        auto compileInfoPtr = static_cast<const ClampSumCompileInfo*>(context_->GetCompileInfo());
        OP_CHECK_IF(compileInfoPtr == nullptr, OP_LOGE(context_, "compile info is null"), return ge::GRAPH_FAILED);
        aicoreParams_.blockDim = compileInfoPtr->coreNum;
        aicoreParams_.ubSize = compileInfoPtr->ubSize;
    } else {
        auto ascendcPlatform = platform_ascendc::PlatformAscendC(platformInfo);
        aicoreParams_.blockDim = ascendcPlatform.GetCoreNumAiv();
        uint64_t ubSizePlatForm;
        ascendcPlatform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSizePlatForm);
        aicoreParams_.ubSize = ubSizePlatForm;
    }
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus ClampSumBase::GetShapeAttrsInfo()
{
    x1_ = Ops::Base::EnsureNotScalar(context_->GetInputShape(0)->GetStorageShape());
    x2_ = Ops::Base::EnsureNotScalar(context_->GetInputShape(1)->GetStorageShape());
    y_ = Ops::Base::EnsureNotScalar(context_->GetOutputShape(0)->GetStorageShape());
    auto attrs = context_->GetAttrs();
    tilingData_.set_low(*attrs->GetAttrPointer<float>(0));
    tilingData_.set_high(*attrs->GetAttrPointer<float>(1));
    OP_CHECK_IF(tilingData_.get_low() > tilingData_.get_high(),
                OP_LOGE(context_->GetNodeName(), "low %f is above high %f", tilingData_.get_low(), tilingData_.get_high()),
                return ge::GRAPH_FAILED);
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus ClampSumBase::GetWorkspaceSize()
{
    workspaceSize_ = 16 * 1024 * 1024;
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus ClampSumBase::PostTiling()
{
    context_->SetBlockDim(blockDim_);
    size_t* workspaces = context_->GetWorkspaceSizes(1);
    workspaces[0] = workspaceSize_;
    if (tilingData_.GetDataSize() > context_->GetRawTilingData()->GetCapacity()) {
        return ge::GRAPH_FAILED;
    }
    tilingData_.SaveToBuffer(context_->GetRawTilingData()->GetData(), context_->GetRawTilingData()->GetCapacity());
    context_->GetRawTilingData()->SetDataSize(tilingData_.GetDataSize());
    return ge::GRAPH_SUCCESS;
}

void ClampSumBase::DumpTilingInfo()
{
    OP_LOGI(context_->GetNodeName(), "key %lu, x1 %s of %s", GetTilingKey(), Ops::Base::ToString(x1_).c_str(),
            Ops::Base::ToString(context_->GetInputDesc(0)->GetDataType()).c_str());
}

// Equal shapes: an even split of all.
class ClampSumSame : public ClampSumBase {
public:
    explicit ClampSumSame(gert::TilingContext* context) : ClampSumBase(context) {}

protected:
    bool IsCapable() override { return x1_ == x2_; }
    ge::graphStatus DoOpTiling() override
    {
        const int64_t count = y_.GetShapeSize();
        const int64_t perCore = CeilAlign(CeilDiv(count, static_cast<int64_t>(aicoreParams_.numBlocks)), int64_t{64});
        tilingData_.set_count(count);
        tilingData_.set_perCore(perCore);
        blockDim_ = CeilDiv(count, perCore);
        return ge::GRAPH_SUCCESS;
    }
    uint64_t GetTilingKey() const override { return 10000; }
};

class ClampSumBroadcast : public ClampSumBase {
public:
    using ClampSumBase::ClampSumBase;

protected:
    bool IsCapable() override { return y_.GetDimNum() <= 8; }
    ge::graphStatus DoOpTiling() override
    {
        int64_t dims[8] = {}, stride1[8] = {}, stride2[8] = {};
        const int rank = y_.GetDimNum();
        Strides(x1_, stride1);
        Strides(x2_, stride2);
        for (int i = 0; i < rank; ++i) dims[i] = y_.GetDim(i);
        tilingData_.set_dims(dims);
        tilingData_.set_stride1(stride1);
        tilingData_.set_stride2(stride2);
        tilingData_.set_rank(rank);
        tilingData_.set_count(y_.GetShapeSize());
        tilingData_.set_perCore(y_.GetShapeSize());
        blockDim_ = 1;
        return ge::GRAPH_SUCCESS;
    }
    uint64_t GetTilingKey() const override { return 20000; }

private:
    void Strides(const gert::Shape& x, int64_t* strides) const
    {
        const int rank = y_.GetDimNum(), own = x.GetDimNum();
        int64_t stride = 1;
        for (int i = own; i-- > 0;) {
            strides[rank - own + i] = x.GetDim(i) == 1 ? 0 : stride;
            stride *= x.GetDim(i);
        }
    }
};

REGISTER_OPS_TILING_TEMPLATE(ClampSum, ClampSumBroadcast, 20);
REGISTER_TILING_TEMPLATE("ClampSum", ClampSumSame, 10);

static ge::graphStatus ClampSumTilingFunc(gert::TilingContext* context)
{
    return TilingRegistry::GetInstance().DoTilingImpl(context);
}

static ge::graphStatus TilingPrepareForClampSum(gert::TilingParseContext* context)
{
    auto compileInfoPtr = context->GetCompiledInfo<ClampSumCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, compileInfoPtr);
    auto ascendcPlatform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    compileInfoPtr->coreNum = ascendcPlatform.GetCoreNumAiv();
    ascendcPlatform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, compileInfoPtr->ubSize);
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(ClampSum).Tiling(ClampSumTilingFunc).TilingParse<ClampSumCompileInfo>(TilingPrepareForClampSum);
}  // namespace optiling
