#include "op_common/op_host/infershape_elewise_util.h"
#include "register/op_impl_registry.h"
#include "op_common/log/log.h"
#include "op_common/op_host/util/shape_util.h"

namespace ops {
static ge::graphStatus InferShapeRepeatX(gert::InferShapeContext* context)
{
    const gert::Shape* x = context->GetInputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, x);
    int64_t times = 0;
    OP_CHECK_IF(!Ops::Base::GetConstInt(context, 1, times), OP_LOGE(context->GetNodeName(), "no repeats"), return ge::GRAPH_FAILED);
    gert::Shape* y = context->GetOutputShape(0);
    y->SetDimNum(0);
    y->AppendDim(x->GetDim(0) * times);
    for (size_t i = 1; i < x->GetDimNum(); i++) {
        y->AppendDim(x->GetDim(i));
    }
    return ge::GRAPH_SUCCESS;
}
IMPL_OP_INFERSHAPE(RepeatX).InferShape(InferShapeRepeatX).InputsDataDependency({1});
}
