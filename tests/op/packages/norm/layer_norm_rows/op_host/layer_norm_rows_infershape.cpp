#include "register/op_impl_registry.h"
#include "error/ops_error.h"

namespace ops {
using namespace ge;
constexpr size_t OUT_MEAN = 1U;
constexpr size_t OUT_RSTD = 2U;

static ge::graphStatus InferShapeLayerNormRows(gert::InferShapeContext* context)
{
    const auto xShape = context->GetInputShape(0);
    OPS_LOG_E_IF_NULL(context, xShape, return ge::GRAPH_FAILED);
    const auto attrs = context->GetAttrs();
    OPS_LOG_E_IF_NULL(context, attrs, return ge::GRAPH_FAILED);
    int64_t begin = *attrs->GetInt(0);
    begin = begin < 0 ? begin + static_cast<int64_t>(xShape->GetDimNum()) : begin;
    *context->GetOutputShape(0) = *xShape;
    for (size_t out : {OUT_MEAN, OUT_RSTD}) {
        auto shape = context->GetOutputShape(out);
        *shape = *xShape;
        for (size_t i = begin; i < xShape->GetDimNum(); ++i) {
            shape->SetDim(i, 1);
        }
    }
    return GRAPH_SUCCESS;
}

static ge::graphStatus InferTypeLayerNormRows(gert::InferDataTypeContext* context)
{
    context->SetOutputDataType(0, context->GetInputDataType(0));
    context->SetOutputDataType(OUT_MEAN, DT_FLOAT);
    return context->SetOutputDataType(OUT_RSTD, DT_FLOAT);
}
IMPL_OP_INFERSHAPE(LayerNormRows).InferShape(InferShapeLayerNormRows).InferDataType(InferTypeLayerNormRows);
}  // namespace ops
