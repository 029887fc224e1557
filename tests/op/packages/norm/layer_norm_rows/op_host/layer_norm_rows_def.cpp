// Rows less their mean, over their deviation; gamma and beta may be absent. y, mean, rstd.
#include <vector>
#include "register/op_def_registry.h"

namespace ops {
class LayerNormRows : public OpDef {
public:
    explicit LayerNormRows(const char* name) : OpDef(name)
    {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataTypeList({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16})
            .FormatList({ge::FORMAT_ND})
            .AutoContiguous();
        this->Input("gamma").ParamType(OPTIONAL).DataTypeList({ge::DT_FLOAT}).FormatList({ge::FORMAT_ND}).AutoContiguous();
        this->Input("beta").ParamType(OPTIONAL).DataTypeList({ge::DT_FLOAT}).FormatList({ge::FORMAT_ND}).AutoContiguous();
        this->Output("y").ParamType(REQUIRED).Follow("x");
        this->Output("mean").ParamType(REQUIRED).DataTypeList({ge::DT_FLOAT}).FormatList({ge::FORMAT_ND});
        this->Output("rstd").ParamType(REQUIRED).DataTypeList({ge::DT_FLOAT}).FormatList({ge::FORMAT_ND});
        this->Attr("begin_norm_axis").AttrType(OPTIONAL).Int(-1);
        this->Attr("epsilon").AttrType(OPTIONAL).Float(1e-5);
        OpAICoreConfig config910b;
        config910b.DynamicCompileStaticFlag(true)
            .DynamicRankSupportFlag(true)
            .DynamicShapeSupportFlag(true)
            .ExtendCfgInfo("opFile.value", "layer_norm_rows_apt")
            .ExtendCfgInfo("opInterface.value", "layer_norm_rows");
        this->AICore().AddConfig("ascend910b", config910b);
        this->AICore().AddConfig("ascend910_93", config910b);
    }
};
OP_ADD(LayerNormRows);
}  // namespace ops
