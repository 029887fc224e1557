// Each row so many times as an input says, that tiling and inference read; perhaps with other signs.
#include "register/op_def_registry.h"

namespace ops {
class RepeatX : public OpDef {
public:
    explicit RepeatX(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_FLOAT16});
        this->Input("repeats").ParamType(REQUIRED).DataType({ge::DT_INT64, ge::DT_INT64, ge::DT_INT32, ge::DT_INT32}).ValueDepend(OPTIONAL, DependScope::TILING);
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_FLOAT16});
        this->Attr("negate").AttrType(OPTIONAL).Bool(false);
        this->Attr("buffers").AttrType(OPTIONAL).Int(2);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};
OP_ADD(RepeatX);
}
