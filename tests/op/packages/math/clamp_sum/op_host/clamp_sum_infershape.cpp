#include "op_host/infershape_broadcast_util.h"
#include "register/op_impl_registry.h"
using namespace ge;
namespace ops {
IMPL_OP_INFERSHAPE(ClampSum).InferShape(Ops::Base::InferShape4Broadcast).InferOutDataTypeSameWithFirstInput();
}
