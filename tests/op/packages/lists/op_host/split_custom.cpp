#include <algorithm>
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "register/tilingdata_base.h"

#define OPS_LOG_E(name, fmt, ...) printf("[ERROR][%s] " fmt "\n", name, ##__VA_ARGS__)
#define OPS_CHECK_NULL(ctx, ptr) \
    do { if ((ptr) == nullptr) { OPS_LOG_E((ctx)->GetNodeName(), #ptr " is null"); return ge::GRAPH_FAILED; } } while (0)

namespace optiling {
constexpr uint32_t MAX_OUTPUT = 64;
BEGIN_TILING_DATA_DEF(SplitCustomTilingData)
TILING_DATA_FIELD_DEF(uint64_t, outer);
TILING_DATA_FIELD_DEF(uint64_t, rowLength);
TILING_DATA_FIELD_DEF(int32_t, num);
TILING_DATA_FIELD_DEF(uint32_t, elemPerLoop);
TILING_DATA_FIELD_DEF_ARR(int64_t, 64, lengths);
TILING_DATA_FIELD_DEF_ARR(int64_t, 64, offsets);
TILING_DATA_FIELD_DEF_ARR(uint16_t, 49, startTensor);
TILING_DATA_FIELD_DEF_ARR(uint16_t, 49, endTensor);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(SplitCustom, SplitCustomTilingData)

static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    SplitCustomTilingData tiling;
    const gert::StorageShape* xShape = context->GetInputShape(0);
    OPS_CHECK_NULL(context, xShape);
    const auto* sizes = context->GetAttrs()->GetListInt(0);
    OPS_CHECK_NULL(context, sizes);
    const int64_t* axisPtr = context->GetAttrs()->GetInt(1);
    const gert::Shape& shape = xShape->GetStorageShape();
    int64_t axis = *axisPtr < 0 ? *axisPtr + static_cast<int64_t>(shape.GetDimNum()) : *axisPtr;
    uint64_t outer = 1, inner = 1;
    for (int64_t i = 0; i < axis; ++i) outer *= shape[i];
    for (size_t i = axis + 1; i < shape.GetDimNum(); ++i) inner *= shape.GetDim(i);
    auto num = context->GetComputeNodeInfo()->GetOutputsNum();
    if (num != sizes->GetSize() || num > MAX_OUTPUT) {
        OPS_LOG_E(context->GetNodeName(), "there are %zu outputs and %zu sizes", num, sizes->GetSize());
        return ge::GRAPH_FAILED;
    }
    int64_t lengths[MAX_OUTPUT] = {0};
    int64_t offsets[MAX_OUTPUT] = {0};
    int64_t sum = 0;
    for (size_t i = 0; i < sizes->GetSize(); ++i) {
        const auto* outShape = context->GetOutputShape(i);
        OPS_CHECK_NULL(context, outShape);
        lengths[i] = sizes->GetData()[i] * inner;
        offsets[i] = sum;
        sum += lengths[i];
    }
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    uint32_t coreNum = platform.GetCoreNumAiv();
    if (coreNum > 49) coreNum = 49;
    uint32_t used = std::max<uint32_t>(1, std::min<uint32_t>(coreNum, num));
    uint16_t start[49] = {0}, end[49] = {0};
    uint32_t at = 0;
    for (uint32_t i = 0; i < used; ++i) {
        start[i] = at;
        at += num / used + (i < num % used ? 1 : 0);
        end[i] = at;
    }
    tiling.set_outer(outer);
    tiling.set_rowLength(shape.GetDim(axis) * inner);
    tiling.set_num(num);
    uint64_t ub = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub);
    uint32_t typeSize = 0;
    ge::DataType dt = context->GetInputDesc(0)->GetDataType();
    ge::TypeUtils::GetDataTypeLength(dt, typeSize);
    tiling.set_elemPerLoop(std::min<uint64_t>(ub / 4, 8192) / typeSize);
    tiling.set_lengths(lengths);
    tiling.set_offsets(offsets);
    tiling.set_startTensor(start);
    tiling.set_endTensor(end);
    context->SetBlockDim(used);
    context->SetTilingKey(typeSize);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static ge::graphStatus InferShape(gert::InferShapeContext* context)
{
    const gert::Shape* x = context->GetInputShape(0);
    const auto* sizes = context->GetAttrs()->GetListInt(0);
    int64_t axis = *context->GetAttrs()->GetInt(1);
    if (axis < 0) axis += x->GetDimNum();
    for (size_t i = 0; i < sizes->GetSize(); ++i) {
        gert::Shape* y = context->GetOutputShape(i);
        if (y == nullptr) return GRAPH_FAILED;
        *y = *x;
        y->SetDim(axis, sizes->GetData()[i]);
    }
    return GRAPH_SUCCESS;
}
static ge::graphStatus InferDataType(gert::InferDataTypeContext* context)
{
    for (size_t i = 0; i < context->GetComputeNodeOutputNum(); ++i) {
        context->SetOutputDataType(i, context->GetInputDataType(0));
    }
    return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class SplitCustom : public OpDef {
public:
    explicit SplitCustom(const char* name) : OpDef(name)
    {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataTypeList({ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_INT64, ge::DT_INT8, ge::DT_BF16})
            .FormatList({ge::FORMAT_ND});
        this->Output("y").ParamType(DYNAMIC).Follow("x");
        this->Attr("size_splits").AttrType(REQUIRED).ListInt();
        this->Attr("split_dim").AttrType(OPTIONAL).Int(0);
        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend310p");
    }
};
OP_ADD(SplitCustom);
}  // namespace ops
