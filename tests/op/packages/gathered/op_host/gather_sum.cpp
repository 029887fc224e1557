// y[i] = sum over the tables of table[indices[i]], + bias where there is one; every number `repeat`
// times, which tiling reads from an input.
#include "register/op_def_registry.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(GatherSumTiling)
  TILING_DATA_FIELD_DEF(uint32_t, count);
  TILING_DATA_FIELD_DEF(uint32_t, tables);
  TILING_DATA_FIELD_DEF(uint64_t, repeat);
  TILING_DATA_FIELD_DEF(uint8_t, hasBias);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(GatherSum, GatherSumTiling)

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  GatherSumTiling tiling;
  const int64_t* repeat = context->GetRequiredInputTensor(2)->GetData<int64_t>();
  tiling.set_count(context->GetRequiredInputShape(1)->GetStorageShape().GetShapeSize());
  tiling.set_tables(context->GetIrInputInstanceInfo(0)->GetInstanceNum());
  tiling.set_repeat(repeat[0]);
  tiling.set_hasBias(context->GetOptionalInputShape(3) != nullptr);
  context->SetBlockDim(1);  // it writes single elements, which cores could not in one cache line
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 16 * 1024 * 1024 + tiling.get_count() * sizeof(float);
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferShape(gert::InferShapeContext* context) {
  gert::Shape* out = context->GetOutputShape(0);
  out->SetDimNum(0);
  out->AppendDim(context->GetRequiredInputShape(1)->GetShapeSize());
  out->AppendDim(context->GetRequiredInputTensor(2)->GetData<int64_t>()[0]);
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class GatherSum : public OpDef {
 public:
  explicit GatherSum(const char* name) : OpDef(name) {
    this->Input("tables").ParamType(DYNAMIC).DataType({ge::DT_FLOAT, ge::DT_BF16});
    this->Input("indices").ParamType(REQUIRED).DataType({ge::DT_INT64, ge::DT_INT64});
    this->Input("repeat").ParamType(REQUIRED).ValueDepend(REQUIRED).DataType(
        {ge::DT_INT64, ge::DT_INT64});
    this->Input("bias").ParamType(OPTIONAL).DataType({ge::DT_FLOAT, ge::DT_FLOAT});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_BF16});
    this->SetInferShape(optiling::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
  }
};
OP_ADD(GatherSum);
}  // namespace ops
