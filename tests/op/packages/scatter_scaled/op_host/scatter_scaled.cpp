#include <algorithm>
#include <cstring>
#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "securec.h"
#include "../op_kernel/scatter_scaled_tiling.h"
namespace {
ge::graphStatus Tiling4ScatterScaled(gert::TilingContext* context) {
    ScatterScaledTilingData t;
    (void)memset_s(&t, sizeof(t), 0, sizeof(t));
    auto shape = context->GetRequiredInputShape(0);
    auto index = context->GetRequiredInputTensor(1);
    if (shape == nullptr || index == nullptr) return ge::GRAPH_FAILED;
    t.rows = shape->GetStorageShape().GetDim(0);
    t.cols = shape->GetStorageShape().GetShapeSize() / t.rows;
    t.count = index->GetShapeSize();
    auto plat = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    t.cores = std::min<uint32_t>({8U, plat.GetCoreNumAiv(), std::max(1U, t.count)});
    for (uint32_t i = 0; i < t.cores; ++i) {
        t.ranges[i].begin = uint64_t(t.count) * i / t.cores;
        t.ranges[i].end = uint64_t(t.count) * (i + 1) / t.cores;
    }
    t.fill = context->GetAttrs()->GetAttrPointer<float>(0) ? *context->GetAttrs()->GetAttrPointer<float>(0) : 0.0f;
    context->SetBlockDim(t.cores);
    const bool wide = context->GetInputDesc(1)->GetDataType() == ge::DT_INT64;
    if (context->SetTilingKey(wide ? 0x10000000001ULL : 0x10000000000ULL) != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
    context->SetScheduleMode(1);
    auto raw = context->GetRawTilingData();
    if (memcpy_s(raw->GetData(), raw->GetCapacity(), &t, sizeof(t)) != EOK) return ge::GRAPH_FAILED;
    raw->SetDataSize(sizeof(t));
    size_t* ws = context->GetWorkspaceSizes(1);
    ws[0] = plat.GetLibApiWorkSpaceSize();
    return ge::GRAPH_SUCCESS;
}
ge::graphStatus Infer(gert::InferShapeContext* c) { *c->GetOutputShape(0) = *c->GetInputShape(0); return ge::GRAPH_SUCCESS; }
ge::graphStatus InferT(gert::InferDataTypeContext* c) { return c->SetOutputDataType(0, c->GetInputDataType(0)); }
struct Empty {};
ge::graphStatus Parse(gert::TilingParseContext*) { return ge::GRAPH_SUCCESS; }
}  // namespace
namespace optiling {
IMPL_OP(ScatterScaled).Tiling(Tiling4ScatterScaled).TilingParse<Empty>(Parse).InferShape(Infer).InferDataType(InferT);
}
namespace ops {
class ScatterScaled : public OpDef {
public:
    explicit ScatterScaled(const char* name) : OpDef(name) {
        this->Input("var").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("indices").ParamType(REQUIRED).DataType({ge::DT_INT32, ge::DT_INT64}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("updates").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("var").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("scale").AttrType(OPTIONAL).Float(1.0);
        OpAICoreConfig cfg("ascend910b");
        cfg.ExtendCfgInfo("opFile.value", "scatter_scaled_v2").ExtendCfgInfo("opInterface.value", "scatter_scaled_entry");
        this->AICore().AddConfig("ascend910b", cfg);
    }
};
OP_ADD(ScatterScaled);
}
