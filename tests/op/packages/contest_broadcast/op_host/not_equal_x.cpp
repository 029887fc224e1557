// x1 != x2 with broadcast, bool: two tiling keys with a class for each.
#include "not_equal_x_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include <algorithm>
#include <cstring>

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  int32_t shapes[2][10], numshapes[3] = {0};
  for (int k = 0; k < 2; ++k) {
    const gert::StorageShape *shape = context->GetInputShape(k);
    numshapes[k] = shape->GetStorageShape().GetDimNum();
    for (int i = 0; i < numshapes[k]; i++) shapes[k][i] = shape->GetStorageShape().GetDim(i);
  }
  bool same = numshapes[0] == numshapes[1] &&
              std::equal(shapes[0], shapes[0] + numshapes[0], shapes[1]);
  context->SetBlockDim(1);
  size_t *currentWorkspace = context->GetWorkspaceSizes(1);
  currentWorkspace[0] = 0;
  if (same) {
    NotEqualXTilingData tiling;
    uint64_t ub_size;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_size);
    tiling.set_size(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    tiling.set_tile(ub_size > 0 ? 256 : 0);
    context->SetTilingKey(1);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  } else {
    NotEqualXTilingData_BroadCast tiling;
    int64_t ss[64] = {0};
    int dim = std::max(numshapes[0], numshapes[1]);
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < dim; ++i) {
        int at = i - (dim - numshapes[k]);
        ss[k * 20 + i] = at < 0 ? 1 : shapes[k][at];
      }
    }
    for (int i = 0; i < dim; ++i) {
      if (ss[i] != ss[20 + i] && ss[i] != 1 && ss[20 + i] != 1) return ge::GRAPH_FAILED;
      ss[40 + i] = std::max(ss[i], ss[20 + i]);
    }
    numshapes[2] = dim;
    tiling.set_ss(ss);
    tiling.set_dim(dim);
    tiling.set_numshapes(numshapes);
    context->SetTilingKey(2);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  }
  return ge::GRAPH_SUCCESS;
}
}

namespace ge {
static ge::graphStatus InferShape(gert::InferShapeContext *context) {
  const gert::Shape *a = context->GetInputShape(0), *b = context->GetInputShape(1);
  gert::Shape *y = context->GetOutputShape(0);
  size_t rank = std::max(a->GetDimNum(), b->GetDimNum());
  y->SetDimNum(rank);
  for (size_t i = 0; i < rank; ++i) {
    int64_t p = i + a->GetDimNum() < rank ? 1 : a->GetDim(i + a->GetDimNum() - rank);
    int64_t q = i + b->GetDimNum() < rank ? 1 : (*b)[i + b->GetDimNum() - rank];
    y->SetDim(i, p == 1 ? q : p);
  }
  return GRAPH_SUCCESS;
}
static ge::graphStatus InferDataType(gert::InferDataTypeContext *context) {
  context->SetOutputDataType(0, ge::DT_BOOL);
  return ge::GRAPH_SUCCESS;
}
}

namespace ops {
class NotEqualX : public OpDef {
 public:
  explicit NotEqualX(const char *name) : OpDef(name) {
    this->Input("x1").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_INT32, ge::DT_INT8})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("x2").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_INT32, ge::DT_INT8})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_BOOL, ge::DT_BOOL, ge::DT_BOOL, ge::DT_BOOL})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->SetInferShape(ge::InferShape);
    this->SetInferDataType(ge::InferDataType);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(NotEqualX);
}
