#include <algorithm>
#include "add_rms_norm_custom_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"
using namespace std;
using namespace platform_ascendc;
namespace optiling {
const uint32_t BLOCK_SIZE = 32;
static void SetFactors(gert::TilingContext* context, TilingData& tiling, uint32_t aivNum, uint64_t ub) {
  const gert::StorageShape* x1_shape = context->GetInputShape(0);
  const gert::StorageShape* gamma_shape = context->GetInputShape(2);
  size_t xDim = x1_shape->GetStorageShape().GetDimNum(), gDim = gamma_shape->GetStorageShape().GetDimNum();
  uint64_t row = 1, col = 1;
  for (size_t i = 0; i < xDim - gDim; i++) row *= x1_shape->GetStorageShape().GetDim(i);
  for (size_t i = 0; i < gDim; i++) col *= gamma_shape->GetStorageShape().GetDim(i);
  uint32_t blockFactor = (row + aivNum - 1) / aivNum;
  uint32_t used = (row + blockFactor - 1) / blockFactor;
  context->SetBlockDim(used);
  tiling.set_numRow(row);
  tiling.set_numCol(col);
  tiling.set_blockFactor(blockFactor);
  tiling.set_rowFactor(64);
  tiling.set_ubFactor((col + 15) / 16 * 16);
  tiling.set_avgFactor(col == 0 ? 0 : 1.0f / col);
}
static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  TilingData tiling;
  auto ascendcPlatform = PlatformAscendC(context->GetPlatformInfo());
  uint64_t ubSize;
  ascendcPlatform.GetCoreMemSize(CoreMemType::UB, ubSize);
  auto socVersion = ascendcPlatform.GetSocVersion();
  if (socVersion != SocVersion::ASCEND310B && socVersion != SocVersion::ASCEND910B) return ge::GRAPH_FAILED;
  SetFactors(context, tiling, ascendcPlatform.GetCoreNumAiv(), ubSize);
  tiling.set_epsilon(*context->GetAttrs()->GetFloat(0));
  tiling.set_hasBeta(context->GetOptionalInputTensor(3) != nullptr);
  int8_t kind[3] = {-1, 0, 1};
  tiling.set_kind(kind);
  switch (context->GetInputTensor(0)->GetDataType()) {
    case ge::DT_FLOAT16: context->SetTilingKey(10); break;
    case ge::DT_FLOAT: context->SetTilingKey(20); break;
    default: context->SetTilingKey(30); break;
  }
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  size_t* currentWorkspace = context->GetWorkspaceSizes(1);
  currentWorkspace[0] = 0;
  return ge::GRAPH_SUCCESS;
}
}

namespace ge {
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
  const gert::Shape* x1_shape = context->GetInputShape(0);
  const gert::Shape* g = context->GetInputShape(2);
  gert::Shape* y_shape = context->GetOutputShape(0);
  *y_shape = *x1_shape;
  gert::Shape* rstd = context->GetOutputShape(1);
  size_t n = x1_shape->GetDimNum(), m = g->GetDimNum();
  rstd->SetDimNum(n);
  for (size_t i = 0; i < n; i++) rstd->SetDim(i, i < n - m ? x1_shape->GetDim(i) : 1);
  *context->GetOutputShape(2) = *x1_shape;
  return GRAPH_SUCCESS;
}
}

namespace ops {
class AddRmsNormCustom : public OpDef {
public:
  explicit AddRmsNormCustom(const char* name) : OpDef(name) {
    this->Input("x1").ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("x2").ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("gamma").ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("beta").ParamType(OPTIONAL)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("rstd").ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("x").ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("epsilon").AttrType(OPTIONAL).Float(1e-6);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(AddRmsNormCustom);
}
