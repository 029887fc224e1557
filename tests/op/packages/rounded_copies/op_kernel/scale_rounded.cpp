// Copies are rounded up to 16 elements, whatever the type: for floats that is up to a datablock too much.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void scale_rounded(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(t, tiling);
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x);
    to.SetGlobalBuffer((__gm__ float*)y);
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> in;
    TQue<QuePosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 4096 * sizeof(float));
    pipe.InitBuffer(out, 1, 4096 * sizeof(float));
    const uint32_t rounded = AlignUp(t.total, 16u);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, from, rounded);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Muls(b, a, 2.0f, t.computed);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(to, b, rounded);
    out.FreeTensor(b);
}
