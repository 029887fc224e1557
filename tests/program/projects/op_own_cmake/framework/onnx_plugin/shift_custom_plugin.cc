#include "graph/operator.h"
#include "register/register.h"

namespace domi {
static Status ParseShift(const ge::Operator& from, ge::Operator& to) {
  int64_t by = 0;
  if (from.GetAttr("by", by) != ge::GRAPH_SUCCESS) by = 1;
  to.SetAttr("by", by);
  return SUCCESS;
}
REGISTER_CUSTOM_OP("ShiftCustom")
    .FrameworkType(ONNX)
    .OriginOpType({ge::AscendString("ai.onnx::11::Shift"), ge::AscendString("ai.onnx::12::Shift")})
    .ParseParamsByOperatorFn(ParseShift);
}
