#include "../op_kernel/templated_tiling.h"

#include "../op_kernel/templated_keys.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
struct TemplatedCompileInfo {
  uint32_t cores = 0;
};

static ge::graphStatus Parse(gert::TilingParseContext* context) {
  auto* info = context->GetCompiledInfo<TemplatedCompileInfo>();
  info->cores = platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAiv();
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus Tile(gert::TilingContext* context) {
  if (context->GetCompileInfo<TemplatedCompileInfo>()->cores == 0) return ge::GRAPH_FAILED;
  auto* tiling = context->GetTilingData<TemplatedTilingData>();
  tiling->length = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
  tiling->shift = *context->GetAttrs()->GetInt(1);
  const uint32_t type = context->GetInputDesc(0)->GetDataType();
  const uint32_t times = *context->GetAttrs()->GetInt(0), shifted = tiling->shift != 0;
  ASCENDC_TPL_SEL_PARAM(context, type, times, shifted);
  context->SetBlockDim(1);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
IMPL_OP_OPTILING(Templated).Tiling(Tile).TilingParse<TemplatedCompileInfo>(Parse);
}  // namespace optiling
