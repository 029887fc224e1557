// y = x * scale [+ bias] + add, where add is made of all other attributes and of the values of an input.
#include <cstring>

#include "mix_custom_tiling.h"
#include "register/op_def_registry.h"

static ge::graphStatus Tiling(gert::TilingContext* context) {
  MixTiling* tiling = context->GetTilingData<MixTiling>();
  const gert::RuntimeAttrs* attributes = context->GetAttrs();
  tiling->length = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
  tiling->has_bias = context->GetOptionalInputShape(1) != nullptr;
  tiling->scale = *attributes->GetFloat(0);
  float add = *attributes->GetInt(1) * 100;
  add += *attributes->GetBool(2) ? 10000 : 0;
  add += std::strlen(attributes->GetStr(3));
  for (size_t i = 0; i < attributes->GetListInt(4)->GetSize(); ++i) add += attributes->GetListInt(4)->GetData()[i] * 1000;
  for (size_t i = 0; i < attributes->GetListFloat(5)->GetSize(); ++i) add += attributes->GetListFloat(5)->GetData()[i];
  const gert::Tensor* sizes = context->GetInputTensor(2);
  for (int64_t i = 0; i < sizes->GetShapeSize(); ++i) add += sizes->GetData<int64_t>()[i] * 100000;
  tiling->add = add;
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

namespace ops {
class MixCustom : public OpDef {
 public:
  explicit MixCustom(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}).AutoContiguous();
    this->Input("bias").ParamType(OPTIONAL).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Input("sizes").ParamType(REQUIRED).DataType({ge::DT_INT64}).Format({ge::FORMAT_ND}).ValueDepend(REQUIRED);
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Attr("scale").AttrType(REQUIRED).Float();
    this->Attr("shift_by").AttrType(OPTIONAL).Int(3);
    this->Attr("negate").AttrType(OPTIONAL).Bool(false);
    this->Attr("mode").AttrType(OPTIONAL).String("twelve chars");
    this->Attr("axes").AttrType(OPTIONAL).ListInt({4, 5});
    this->Attr("weights").AttrType(REQUIRED).ListFloat();
    this->AICore().SetTiling(Tiling).AddConfig("ascend910b");
  }
};
OP_ADD(MixCustom);
}
