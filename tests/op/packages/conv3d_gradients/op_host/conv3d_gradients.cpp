// The gradients of a convolution's input and of its weights: one core does each. Tensors lie in their formats,
// [N, D, C1, H, W, 16] and [KD, C1, KH, KW, N1, 16, 16]; the tiling is what GetTiling gives, and nothing else.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/conv_backprop/conv3d_bp_filter_tiling.h"
#include "tiling/conv_backprop/conv3d_bp_input_tiling.h"
#include "tiling/tiling_api.h"

namespace optiling {
REGISTER_TILING_DATA_CLASS(Conv3dGradInput, Conv3DBackpropInputTilingData)
REGISTER_TILING_DATA_CLASS(Conv3dGradWeight, Conv3DBackpropFilterTilingData)

constexpr int64_t kStride = 2, kPad = 1;

// Input: the sizes of the input, then those of the weights and of the output's gradient.
template <class Api, class Data>
ge::graphStatus Tile(gert::TilingContext* context, const gert::Shape& x, const gert::Shape& w, const gert::Shape& y) {
  auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  Api api(platform);
  api.SetInputShape(x.GetDim(0), x.GetDim(2) * 16, x.GetDim(1), x.GetDim(3), x.GetDim(4));
  api.SetWeightShape(w.GetDim(4) * 16, w.GetDim(1) * 16, w.GetDim(0), w.GetDim(2), w.GetDim(3));
  api.SetGradOutputShape(y.GetDim(0), y.GetDim(2) * 16, y.GetDim(1), y.GetDim(3), y.GetDim(4));
  api.SetStride(1, kStride, 1);
  api.SetPadding(0, 0, kPad, kPad, kPad, kPad);
  Data tiling;
  if (api.GetTiling(tiling) == -1) return ge::GRAPH_FAILED;
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus TileInput(gert::TilingContext* context) {
  return Tile<ConvBackpropApi::Conv3DBpInputTiling, Conv3DBackpropInputTilingData>(
      context, context->GetOutputShape(0)->GetStorageShape(), context->GetInputShape(0)->GetStorageShape(),
      context->GetInputShape(1)->GetStorageShape());
}
static ge::graphStatus TileWeight(gert::TilingContext* context) {
  return Tile<ConvBackpropApi::Conv3dBpFilterTiling, Conv3DBackpropFilterTilingData>(
      context, context->GetInputShape(0)->GetStorageShape(), context->GetOutputShape(0)->GetStorageShape(),
      context->GetInputShape(1)->GetStorageShape());
}
}  // namespace optiling

namespace ge {
static graphStatus InferInput(gert::InferShapeContext* context) {
  const gert::Shape &w = *context->GetInputShape(0), &y = *context->GetInputShape(1);
  *context->GetOutputShape(0) =
      gert::Shape({y.GetDim(0), y.GetDim(1) + w.GetDim(0) - 1, w.GetDim(1),
                   (y.GetDim(3) - 1) * optiling::kStride + w.GetDim(2) - 2 * optiling::kPad,
                   y.GetDim(4) + w.GetDim(3) - 1 - 2 * optiling::kPad, 16});
  return GRAPH_SUCCESS;
}
static graphStatus InferWeight(gert::InferShapeContext* context) {
  const gert::Shape &x = *context->GetInputShape(0), &y = *context->GetInputShape(1);
  *context->GetOutputShape(0) =
      gert::Shape({x.GetDim(1) - y.GetDim(1) + 1, x.GetDim(2),
                   x.GetDim(3) + 2 * optiling::kPad - (y.GetDim(3) - 1) * optiling::kStride,
                   x.GetDim(4) + 2 * optiling::kPad - y.GetDim(4) + 1, y.GetDim(2), 16, 16});
  return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class Conv3dGradInput : public OpDef {
 public:
  explicit Conv3dGradInput(const char* name) : OpDef(name) {
    this->Input("weight").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
    this->Input("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
    this->Output("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
    this->SetInferShape(ge::InferInput);
    this->AICore().SetTiling(optiling::TileInput);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(Conv3dGradInput);

class Conv3dGradWeight : public OpDef {
 public:
  explicit Conv3dGradWeight(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
    this->Input("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
    this->Output("weight").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->SetInferShape(ge::InferWeight);
    this->AICore().SetTiling(optiling::TileWeight);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(Conv3dGradWeight);
}  // namespace ops
