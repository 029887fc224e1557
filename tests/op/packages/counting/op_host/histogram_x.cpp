// How often each of the bins occurs, by atomic additions of many cores to an output that is 0 first;
// the largest number, by atomic maxima to one that is the least number first.
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(HistogramXTiling)
  TILING_DATA_FIELD_DEF(uint32_t, count);
  TILING_DATA_FIELD_DEF(uint32_t, bins);
  TILING_DATA_FIELD_DEF(uint32_t, perCore);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(HistogramX, HistogramXTiling)

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  HistogramXTiling tiling;
  auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const uint32_t cores = platform.GetCoreNumAiv();
  const uint32_t count = context->GetInputTensor(0)->GetShapeSize();
  tiling.set_count(count);
  tiling.set_bins(*context->GetAttrs()->GetInt(0));
  tiling.set_perCore((count + cores - 1) / cores);
  context->SetBlockDim((count + tiling.get_perCore() - 1) / tiling.get_perCore());
  context->SetNeedAtomic(*context->GetAttrs()->GetBool(1));
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
  const int64_t bins = *context->GetAttrs()->GetInt(0);
  *context->GetOutputShape(0) = {bins};
  *context->GetOutputShape(1) = {8};
  *context->GetOutputShape(2) = {8};
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class HistogramX : public OpDef {
 public:
  explicit HistogramX(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_INT32});
    this->Output("counts").ParamType(REQUIRED).DataType({ge::DT_INT32}).InitValue(0);
    this->Output("largest").ParamType(REQUIRED).DataType({ge::DT_INT32}).InitValue({ScalarType::INT32, -7});
    this->Output("halves").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).InitValue(
        std::vector<ScalarVar>{{ScalarType::FLOAT16, 0.5f}});
    this->Attr("bins").AttrType(REQUIRED).Int();
    this->Attr("preset").AttrType(OPTIONAL).Bool(true);
    this->SetInferShape(optiling::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
  }
};
OP_ADD(HistogramX);
}  // namespace ops
