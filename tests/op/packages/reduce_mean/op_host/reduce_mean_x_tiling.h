#pragma once
#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(ReduceMeanXAxes)
    TILING_DATA_FIELD_DEF_ARR(uint32_t, 8, length);
    TILING_DATA_FIELD_DEF_ARR(uint32_t, 8, stride);
    TILING_DATA_FIELD_DEF(uint8_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ReduceMeanXAxesOp, ReduceMeanXAxes)

BEGIN_TILING_DATA_DEF(ReduceMeanXTilingData)
    TILING_DATA_FIELD_DEF(uint16_t, perCore);
    TILING_DATA_FIELD_DEF_STRUCT(ReduceMeanXAxes, kept);
    TILING_DATA_FIELD_DEF_STRUCT(ReduceMeanXAxes, reduced);
    TILING_DATA_FIELD_DEF(bool, lastReduced);
    TILING_DATA_FIELD_DEF(float, factor);
    TILING_DATA_FIELD_DEF(int64_t, outputs);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ReduceMeanX, ReduceMeanXTilingData)

struct ReduceMeanXCompileInfo {
    int64_t coreNum = 0;
    uint64_t ubSize = 0;
};

class ReduceMeanXTiling {
public:
    explicit ReduceMeanXTiling(gert::TilingContext* context) : context_(context) {}
    ge::graphStatus Init();
    ge::graphStatus RunKernelTiling();

private:
    bool IsReduced(size_t axis) const;
    void Fill();
    gert::TilingContext* context_ = nullptr;
    ReduceMeanXTilingData tilingData_;
    const gert::TypedContinuousVector<int64_t>* axes_ = nullptr;
    size_t rank_ = 0;
};
}  // namespace optiling
