#include "register/op_impl_registry.h"
#include "log/log.h"
#include "graph/utils/type_utils.h"

using namespace ge;
namespace ops {
static constexpr size_t INPUT_X = 0;
static constexpr int64_t UNKNOWN_DIM_VALUE = -1;

static ge::graphStatus InferShapeGatingTopKSoftmax(gert::InferShapeContext *context)
{
    OP_LOGD(context, "Begin to do InferShapeGatingTopKSoftmax");
    const gert::Shape *xShape = context->GetInputShape(INPUT_X);
    OP_CHECK_NULL_WITH_CONTEXT(context, xShape);
    auto yShape = context->GetOutputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, yShape);
    auto idxShape = context->GetOutputShape(1);
    OP_CHECK_NULL_WITH_CONTEXT(context, idxShape);
    auto rowShape = context->GetOutputShape(2);
    OP_CHECK_NULL_WITH_CONTEXT(context, rowShape);
    auto attrs = context->GetAttrs();
    OP_CHECK_NULL_WITH_CONTEXT(context, attrs);
    const int64_t *kPtr = attrs->GetAttrPointer<int64_t>(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, kPtr);
    OP_CHECK_IF(xShape->GetDimNum() != 2 && xShape->GetDimNum() != 3,
                OP_LOGE(context->GetNodeName(), "dim of x must be 2 or 3, but got %zu", xShape->GetDimNum()),
                return ge::GRAPH_FAILED);
    *yShape = *xShape;
    yShape->SetDim(xShape->GetDimNum() - 1, *kPtr);
    *idxShape = *yShape;
    *rowShape = *yShape;
    OP_LOGD(context, "End to do InferShapeGatingTopKSoftmax");
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferDataTypeGatingTopKSoftmax(gert::InferDataTypeContext *context)
{
    context->SetOutputDataType(0, context->GetInputDataType(0));
    context->SetOutputDataType(1, ge::DT_INT32);
    context->SetOutputDataType(2, ge::DT_INT32);
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_INFERSHAPE(GatingTopKSoftmax)
    .InferShape(InferShapeGatingTopKSoftmax)
    .InferDataType(InferDataTypeGatingTopKSoftmax);
}  // namespace ops
