#include "reduce_mean_x_rows.h"
using namespace AscendC;
using namespace NsReduceMeanX;

#define KEY_ANY 100
#define KEY_LAST 101

extern "C" __global__ __aicore__ void reduce_mean_x(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    if (g_coreType == AIC) {
        return;
    }
    GET_TILING_DATA(tilingDataIn, tiling);
    const ReduceMeanXTilingData* __restrict tilingData = &tilingDataIn;
    GM_ADDR userWS = GetUserWorkspace(workspace);
    if (userWS == nullptr) {
        return;
    }
    if (TILING_KEY_IS(KEY_ANY)) {
        Rows<DTYPE_X, false> op;
        op.Init(x, y, tilingData);
        op.Process();
    } else if (TILING_KEY_IS(KEY_LAST)) {
        Rows<DTYPE_X, true> op;
        op.Init(x, y, tilingData);
        op.Process();
    }
}
