/*!
 * \file gating_top_k_softmax_def.cpp
 * \brief
 */
#include "register/op_def_registry.h"

namespace ops {
static const std::vector<ge::DataType> xDtype = {ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16};
static const std::vector<ge::DataType> indexDtype = {ge::DT_INT32, ge::DT_INT32, ge::DT_INT32};
static const std::vector<ge::DataType> boolDtype = {ge::DT_BOOL, ge::DT_BOOL, ge::DT_BOOL};
static const std::vector<ge::Format> fmt = {ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND};

class GatingTopKSoftmax : public OpDef {
public:
    explicit GatingTopKSoftmax(const char *name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType(xDtype).Format(fmt).UnknownShapeFormat(fmt).AutoContiguous();
        this->Input("finished")
            .ParamType(OPTIONAL)
            .DataType(boolDtype)
            .Format(fmt)
            .UnknownShapeFormat(fmt)
            .AutoContiguous();
        this->Output("y").ParamType(REQUIRED).DataType(xDtype).Format(fmt).UnknownShapeFormat(fmt);
        this->Output("expert_idx").ParamType(REQUIRED).DataType(indexDtype).Format(fmt).UnknownShapeFormat(fmt);
        this->Output("row_idx").ParamType(REQUIRED).DataType(indexDtype).Format(fmt).UnknownShapeFormat(fmt);
        this->Attr("k").AttrType(REQUIRED).Int(1);
        this->Attr("renorm").AttrType(OPTIONAL).Bool(false);

        OpAICoreConfig aicoreConfig;
        aicoreConfig.DynamicCompileStaticFlag(true)
            .DynamicFormatFlag(true)
            .DynamicRankSupportFlag(true)
            .DynamicShapeSupportFlag(true)
            .NeedCheckSupportFlag(false)
            .PrecisionReduceFlag(true)
            .ExtendCfgInfo("aclnnSupport.value", "support_aclnn")
            .ExtendCfgInfo("multiKernelSupportDynamicGraph.value", "multi_kernel");
        this->AICore().AddConfig("ascend910b", aicoreConfig);
        this->AICore().AddConfig("ascend910_93", aicoreConfig);
    }
};

OP_ADD(GatingTopKSoftmax);
}  // namespace ops
