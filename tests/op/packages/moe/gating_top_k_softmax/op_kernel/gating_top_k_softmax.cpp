#include "gating_top_k_softmax_base.h"
using namespace AscendC;
using namespace GatingTopK;

#define GATING_RUN(TYPE)                                                          \
    do {                                                                          \
        GatingTopKSoftmaxKernel<TYPE> op;                                         \
        op.Init(x, finished, y, expertIdx, rowIdx, tilingData, &pipe);            \
        op.Process();                                                             \
    } while (0)

extern "C" __global__ __aicore__ void gating_top_k_softmax(GM_ADDR x, GM_ADDR finished, GM_ADDR y, GM_ADDR expertIdx,
                                                           GM_ADDR rowIdx, GM_ADDR workspace, GM_ADDR tiling)
{
    if (g_coreType == AIC) {
        return;
    }
    GET_TILING_DATA(tilingDataIn, tiling);
    const GatingTopKSoftmaxTilingData *__restrict tilingData = &tilingDataIn;
    TPipe pipe;
    if (TILING_KEY_IS(1)) {
        GATING_RUN(half);
    } else if (TILING_KEY_IS(2)) {
        GATING_RUN(float);
    } else if (TILING_KEY_IS(3)) {
        GATING_RUN(bfloat16_t);
    }
}
