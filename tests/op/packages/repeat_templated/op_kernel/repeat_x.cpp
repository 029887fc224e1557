#include "arch22/repeat_x.h"

template <uint32_t D_T_X, uint32_t SCHEDULE, uint32_t BUFFERS, bool NEGATE>
__global__ __aicore__ void repeat_x(GM_ADDR x, GM_ADDR repeats, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    REGISTER_TILING_DEFAULT(RepeatXNs::RepeatXTilingData);
    GET_TILING_DATA_WITH_STRUCT(RepeatXNs::RepeatXTilingData, tilingData, tiling);
    using T = std::conditional_t<D_T_X == C_DT_FLOAT, float, half>;
    RepeatXNs::RepeatX<T, SCHEDULE, BUFFERS, NEGATE> op;
    op.Init(x, y, &tilingData);
    op.Process();
}
