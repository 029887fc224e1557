#include "register/register.h"

namespace domi {
REGISTER_CUSTOM_OP("ShiftCustom")
    .FrameworkType(TENSORFLOW)
    .OriginOpType("ShiftCustom")
    .ParseParamsByOperatorFn(AutoMappingByOpFn);
REGISTER_CUSTOM_OP("WidenCustom")
    .FrameworkType(TENSORFLOW)
    .OriginOpType({"Widen", "WidenV2"})
    .ParseParamsByOperatorFn(AutoMappingByOpFn)
    .ImplyType(ImplyType::TVM);
}
