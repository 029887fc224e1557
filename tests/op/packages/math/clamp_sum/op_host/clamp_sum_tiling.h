#ifndef OPS_BUILT_IN_OP_TILING_RUNTIME_CLAMP_SUM_H
#define OPS_BUILT_IN_OP_TILING_RUNTIME_CLAMP_SUM_H
#include "op_host/tiling_base.h"
#include "op_host/tiling_templates_registry.h"
#include "op_host/tiling_util.h"
#include "register/op_impl_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {
using Ops::Base::CeilAlign;
using Ops::Base::CeilDiv;
using Ops::Math::OpTiling::TilingBaseClass;
using Ops::Math::OpTiling::TilingRegistry;

BEGIN_TILING_DATA_DEF(ClampSumTilingData)
TILING_DATA_FIELD_DEF(int64_t, count);
TILING_DATA_FIELD_DEF(int64_t, perCore);
TILING_DATA_FIELD_DEF_ARR(int64_t, 8, dims);
TILING_DATA_FIELD_DEF_ARR(int64_t, 8, stride1);
TILING_DATA_FIELD_DEF_ARR(int64_t, 8, stride2);
TILING_DATA_FIELD_DEF(int32_t, rank);
TILING_DATA_FIELD_DEF(float, low);
TILING_DATA_FIELD_DEF(float, high);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ClampSum, ClampSumTilingData)
REGISTER_TILING_DATA_CLASS(ClampSum_10000, ClampSumTilingData)
REGISTER_TILING_DATA_CLASS(ClampSum_20000, ClampSumTilingData)

struct ClampSumCompileInfo {
    uint64_t coreNum = 0;
    uint64_t ubSize = 0;
};

class ClampSumBase : public TilingBaseClass {
public:
    explicit ClampSumBase(gert::TilingContext* context) : TilingBaseClass(context) {}

protected:
    ge::graphStatus GetPlatformInfo() override;
    ge::graphStatus GetShapeAttrsInfo() override;
    ge::graphStatus DoLibApiTiling() override { return ge::GRAPH_SUCCESS; }
    ge::graphStatus GetWorkspaceSize() override;
    ge::graphStatus PostTiling() override;
    void DumpTilingInfo() override;

    gert::Shape x1_, x2_, y_;
    ClampSumTilingData tilingData_;
};
}  // namespace optiling
#endif
