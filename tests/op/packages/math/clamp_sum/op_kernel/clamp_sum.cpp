#include "clamp_sum_vector.h"
#define SAME_TILING_KEY 10000
#define BROADCAST_TILING_KEY 20000

template <typename T>
__aicore__ inline void ClampSumScalar(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, const ClampSumTilingData& t)
{
    AscendC::GlobalTensor<T> a, b, c;
    a.SetGlobalBuffer((__gm__ T*)x1);
    b.SetGlobalBuffer((__gm__ T*)x2);
    c.SetGlobalBuffer((__gm__ T*)y);
    for (int64_t i = 0; i < t.count; ++i) {
        int64_t rest = i, p = 0, q = 0;
        for (int k = t.rank - 1; k >= 0; --k) {
            p += rest % t.dims[k] * t.stride1[k];
            q += rest % t.dims[k] * t.stride2[k];
            rest /= t.dims[k];
        }
        float sum = (float)a.GetValue(p) + (float)b.GetValue(q);
        sum = sum < t.low ? t.low : sum > t.high ? t.high : sum;
        c.SetValue(i, static_cast<T>(sum));
    }
}

extern "C" __global__ __aicore__ void clamp_sum(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    if (TILING_KEY_IS(SAME_TILING_KEY)) {
        AscendC::TPipe pipe;
        ClampSumNs::ClampSumVector<DTYPE_X1> op;
        op.Init(x1, x2, y, tilingData, &pipe);
        op.Process();
    } else if (TILING_KEY_IS(BROADCAST_TILING_KEY)) {
        ClampSumScalar<DTYPE_X1>(x1, x2, y, tilingData);
    }
}
