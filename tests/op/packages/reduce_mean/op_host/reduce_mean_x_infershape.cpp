#include "register/op_impl_registry.h"
#include "log/log.h"
#include "util/shape_util.h"
#include "graph/utils/type_utils.h"

using namespace ge;
namespace ops {
static ge::graphStatus InferShape4ReduceMeanX(gert::InferShapeContext* context)
{
    OP_LOGD(context->GetNodeName(), "Begin to do InferShape4ReduceMeanX");
    const gert::Shape* x = context->GetInputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, x);
    gert::Shape* y = context->GetOutputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, y);
    auto attrs = context->GetAttrs();
    auto axes = attrs->GetAttrPointer<gert::ContinuousVector>(0);
    const bool keepDims = *(attrs->GetAttrPointer<bool>(1));
    if (Ops::Base::IsUnknownRank(*x)) {
        Ops::Base::SetUnknownRank(*y);
        return ge::GRAPH_SUCCESS;
    }
    const auto* data = reinterpret_cast<const int64_t*>(axes->GetData());
    y->SetDimNum(0);
    const int64_t rank = x->GetDimNum();
    for (int64_t i = 0; i < rank; ++i) {
        bool reduced = axes->GetSize() == 0;
        for (size_t k = 0; k < axes->GetSize(); ++k) {
            reduced = reduced || data[k] == i || data[k] + rank == i;
        }
        if (!reduced) {
            y->AppendDim(x->GetDim(i));
        } else if (keepDims) {
            y->AppendDim(1);
        }
    }
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferDataType4ReduceMeanX(gert::InferDataTypeContext* context)
{
    context->SetOutputDataType(0, context->GetInputDataType(0));
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_INFERSHAPE(ReduceMeanX).InferShape(InferShape4ReduceMeanX).InferDataType(InferDataType4ReduceMeanX);
}  // namespace ops
