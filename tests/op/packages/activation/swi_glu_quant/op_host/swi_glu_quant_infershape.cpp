#include "log/log.h"
#include "register/op_impl_registry.h"
#include "util/shape_util.h"
using namespace ge;
namespace ops {
static ge::graphStatus SwiGluQuantInferShape(gert::InferShapeContext* context)
{
    OP_LOGD(context->GetNodeName(), "Begin to do SwiGluQuantInferShape");
    auto xShape = context->GetInputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, xShape);
    auto yShape = context->GetOutputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, yShape);
    auto sShape = context->GetOutputShape(1);
    OP_CHECK_NULL_WITH_CONTEXT(context, sShape);
    if (Ops::Base::IsUnknownRank(*xShape)) {
        Ops::Base::SetUnknownRank(*yShape);
        Ops::Base::SetUnknownRank(*sShape);
        return GRAPH_SUCCESS;
    }
    *yShape = *xShape;
    *sShape = *xShape;
    size_t last = xShape->GetDimNum() - 1;
    if (xShape->GetDim(last) % 2 != 0) {
        OP_LOGE_FOR_INVALID_SHAPE(context->GetNodeName(), "x", Ops::Base::ToString(*xShape).c_str(), "even last dim");
        return GRAPH_FAILED;
    }
    yShape->SetDim(last, xShape->GetDim(last) / 2);
    sShape->SetDimNum(last);
    return GRAPH_SUCCESS;
}
static ge::graphStatus SwiGluQuantInferDataType(gert::InferDataTypeContext* context)
{
    context->SetOutputDataType(0, ge::DT_INT8);
    context->SetOutputDataType(1, ge::DT_FLOAT);
    return GRAPH_SUCCESS;
}
IMPL_OP_INFERSHAPE(SwiGluQuant).InferShape(SwiGluQuantInferShape).InferDataType(SwiGluQuantInferDataType);
} // namespace ops
