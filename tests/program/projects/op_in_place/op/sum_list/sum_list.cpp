// The sum of all tensors of a list.
#include "register/op_def_registry.h"
#include "sum_list_tiling.h"

namespace {
ge::graphStatus Tiling(gert::TilingContext* context) {
  SumListTiling* tiling = context->GetTilingData<SumListTiling>();
  tiling->length = context->GetOutputShape(0)->GetStorageShape().GetShapeSize();
  tiling->count = context->GetIrInputInstanceInfo(0)->GetInstanceNum();
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}
}

namespace ops {
class SumList : public OpDef {
 public:
  explicit SumList(const char* name) : OpDef(name) {
    this->Input("x").ParamType(DYNAMIC).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND});
    this->AICore().SetTiling(Tiling).AddConfig("ascend910b");
  }
};
OP_ADD(SumList);
}
