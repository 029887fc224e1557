// min(max(x1 + x2, low), high) with broadcast, through classes of tiling: one for equal shapes, one
// for the rest.
#include "register/op_def_registry.h"

namespace ops {
static const std::vector<ge::DataType> dataType = {ge::DT_FLOAT, ge::DT_FLOAT16};
static const std::vector<ge::Format> format = {ge::FORMAT_ND, ge::FORMAT_ND};

class ClampSum : public OpDef {
public:
    explicit ClampSum(const char* name) : OpDef(name)
    {
        this->Input("x1").ParamType(REQUIRED).DataType(dataType).Format(format).UnknownShapeFormat(format).AutoContiguous();
        this->Input("x2").ParamType(REQUIRED).DataType(dataType).Format(format).UnknownShapeFormat(format).AutoContiguous();
        this->Output("y").ParamType(REQUIRED).DataType(dataType).Format(format).UnknownShapeFormat(format).AutoContiguous();
        this->Attr("low").AttrType(OPTIONAL).Float(-1.0f);
        this->Attr("high").AttrType(OPTIONAL).Float(1.0f);
        OpAICoreConfig aicoreConfig;
        aicoreConfig.DynamicCompileStaticFlag(true).DynamicRankSupportFlag(true).DynamicShapeSupportFlag(true);
        this->AICore().AddConfig("ascend910b", aicoreConfig);
        this->AICore().AddConfig("ascend310p", aicoreConfig);
    }
};
OP_ADD(ClampSum);
}  // namespace ops
