#include "register/op_def_registry.h"

namespace ops {
class Templated : public OpDef {
 public:
  explicit Templated(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_INT32});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_INT32});
    this->Attr("times").AttrType(REQUIRED).Int();
    this->Attr("shift").AttrType(OPTIONAL).Int(0);
    OpAICoreConfig config;
    config.DynamicShapeSupportFlag(true)
        .ExtendCfgInfo("opFile.value", "templated_apt")
        .ExtendCfgInfo("opInterface.value", "times_and_shift");
    this->AICore().AddConfig("ascend910b", config);
  }
};
OP_ADD(Templated);
}  // namespace ops
