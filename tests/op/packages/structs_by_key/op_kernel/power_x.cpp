#include "kernel_operator.h"
#include "power_tiling.h"
using namespace AscendC;

constexpr uint32_t POWER_TILE = 1024;

template <class Compute>
__aicore__ inline void ForEachTile(GM_ADDR x, GM_ADDR y, const PowerCommon& common, Compute compute)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, POWER_TILE * sizeof(float));
    pipe.InitBuffer(out, 2, POWER_TILE * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, common.count);
    yGm.SetGlobalBuffer((__gm__ float*)y, common.count);
    for (uint64_t at = 0; at < common.count; at += POWER_TILE) {
        const uint32_t n = common.count - at < POWER_TILE ? common.count - at : POWER_TILE;
        DataCopyExtParams how{1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0};
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopyPad(a, xGm[at], how, DataCopyPadExtParams<float>{false, 0, 0, 0});
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<float> b = out.AllocTensor<float>();
        Muls(a, a, common.scale, n);
        compute(b, a, n);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopyPad(yGm[at], b, how);
        out.FreeTensor(b);
    }
}

extern "C" __global__ __aicore__ void power_x(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    REGISTER_TILING_DEFAULT(PowerRealTilingData);
    REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 1", PowerWholeTilingData);
    REGISTER_TILING_FOR_TILINGKEY("(TILING_KEY_VAR & 0x2) == 0x2", PowerRealTilingData);
    KERNEL_TASK_TYPE(1, KERNEL_TYPE_AIV_ONLY);
    KERNEL_TASK_TYPE(3, KERNEL_TYPE_AIV_ONLY);
#if TILING_KEY_VAR == 1
    GET_TILING_DATA(t, tiling);
    ForEachTile(x, y, t.common, [&](const LocalTensor<float>& b, const LocalTensor<float>& a, uint32_t n) {
        Duplicate(b, 1.0f, n);
        for (int i = 0; i < t.exponent; ++i) Mul(b, b, a, n);
    });
#elif TILING_KEY_VAR == 3
    GET_TILING_DATA_MEMBER(PowerRealTilingData, exponent, exponent, tiling);
    GET_TILING_DATA_MEMBER(PowerRealTilingData, common, common, tiling);
    GET_TILING_DATA_PTR_WITH_STRUCT(PowerRealTilingData, pointer, tiling);
    if (pointer->flags[4] != 5) return;
    ForEachTile(x, y, common, [&](const LocalTensor<float>& b, const LocalTensor<float>& a, uint32_t n) {
        Ln(b, a, n);
        Muls(b, b, exponent, n);
        Exp(b, b, n);
    });
#endif
}
