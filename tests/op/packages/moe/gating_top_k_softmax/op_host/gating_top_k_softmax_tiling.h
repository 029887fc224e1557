#ifndef GATING_TOP_K_SOFTMAX_TILING_H
#define GATING_TOP_K_SOFTMAX_TILING_H
#include <vector>
#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"
#include "tiling/platform/platform_ascendc.h"
#include "register/op_impl_registry.h"
#include "platform/platform_info.h"
#include "log/log.h"
#include "moe_util.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(GatingCoreInfo)
TILING_DATA_FIELD_DEF(uint32_t, rowsPerCore);
TILING_DATA_FIELD_DEF(uint32_t, rowsLastCore);
TILING_DATA_FIELD_DEF(uint16_t, coreNum);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(GatingCoreInfoOp, GatingCoreInfo)

BEGIN_TILING_DATA_DEF(GatingTopKSoftmaxTilingData)
TILING_DATA_FIELD_DEF(uint32_t, row);
TILING_DATA_FIELD_DEF(uint32_t, col);
TILING_DATA_FIELD_DEF(uint32_t, colAlign);
TILING_DATA_FIELD_DEF(uint32_t, k);
TILING_DATA_FIELD_DEF(uint32_t, renorm);
TILING_DATA_FIELD_DEF(uint32_t, hasFinished);
TILING_DATA_FIELD_DEF_STRUCT(GatingCoreInfo, coreInfo);
TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, softmaxTilingData);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(GatingTopKSoftmax, GatingTopKSoftmaxTilingData)

struct GatingTopKSoftmaxCompileInfo {
    uint32_t coreNum = 0;
    uint64_t ubSize = 0;
};
}  // namespace optiling
#endif
