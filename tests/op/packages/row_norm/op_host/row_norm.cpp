// LayerNorm, SoftMax and a factor: tilings of the library as parts of the operator's own.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(RowNormTilingData)
TILING_DATA_FIELD_DEF(uint32_t, scratch);
TILING_DATA_FIELD_DEF_STRUCT(LayerNormTiling, norm);
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, product);
TILING_DATA_FIELD_DEF(float, epsilon);
TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, softmax);
TILING_DATA_FIELD_DEF(uint32_t, last);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(RowNorm, RowNormTilingData)

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  const gert::Shape shape = context->GetInputShape(0)->GetStorageShape();
  const int64_t rows = shape.GetDim(0), columns = shape.GetDim(1);
  const AscendC::TensorShape all({1, rows, columns, columns});
  uint32_t most = 0, least = 0;
  AscendC::GetLayerNormMaxMinTmpSize(all, 4, false, most, least);
  const AscendC::TensorShape matrix({rows, columns});
  const uint32_t softmax = AscendC::GetSoftMaxMinTmpSize(matrix, 4, false);
  const uint32_t scratch = (least > softmax ? least : softmax) + 31;
  RowNormTilingData tiling;
  AscendC::GetLayerNormNDTilingInfo(all, scratch, 4, false, tiling.norm);
  AscendC::SoftMaxTilingFunc(matrix, 4, scratch, tiling.softmax);
  tiling.set_scratch(scratch / 32 * 32);
  tiling.product.set_N(3);
  tiling.set_epsilon(0.25f);
  tiling.set_last(tiling.norm.get_hLength());
  context->SetBlockDim(1);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class RowNorm : public OpDef {
 public:
  explicit RowNorm(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->SetInferShape([](gert::InferShapeContext* context) {
      *context->GetOutputShape(0) = *context->GetInputShape(0);
      return ge::GRAPH_SUCCESS;
    });
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(RowNorm);
}  // namespace ops
