// The mean over a list of axes, all if it is empty; keep_dims.
#include "register/op_def_registry.h"

namespace ops {
static const std::vector<ge::DataType> kTypes = {ge::DT_FLOAT, ge::DT_FLOAT16};
static const std::vector<ge::Format> kFormats(2, ge::FORMAT_ND);

class ReduceMeanX : public OpDef {
public:
    explicit ReduceMeanX(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType(kTypes).Format(kFormats).UnknownShapeFormat(kFormats).AutoContiguous();
        this->Output("y").ParamType(REQUIRED).DataType(kTypes).Format(kFormats).UnknownShapeFormat(kFormats).AutoContiguous();
        this->Attr("axes").AttrType(OPTIONAL).ListInt({});
        this->Attr("keep_dims").AttrType(OPTIONAL).Bool(false);
        OpAICoreConfig aicoreConfig;
        aicoreConfig.DynamicCompileStaticFlag(true)
            .DynamicFormatFlag(false)
            .DynamicRankSupportFlag(true)
            .DynamicShapeSupportFlag(true)
            .NeedCheckSupportFlag(false)
            .PrecisionReduceFlag(true)
            .ExtendCfgInfo("opFile.value", "reduce_mean_x")
            .ExtendCfgInfo("jitCompile.flag", "static_true,dynamic_true");
        this->AICore().AddConfig("ascend910b", aicoreConfig);
        this->AICore().AddConfig("ascend910_93", aicoreConfig);
    }
};
OP_ADD(ReduceMeanX);
}  // namespace ops
