#include "kernel_operator.h"

constexpr uint32_t TILE = 128;

// z = x + y. The tiling is a pointer: its values come along with the launch.
extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, __gm__ uint32_t* length,
                                                 __gm__ uint32_t* tiles)
{
    uint32_t part = *length / AscendC::GetBlockNum(), start = part * AscendC::GetBlockIdx();
    AscendC::GlobalTensor<half> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ half*)x + start, part);
    yGm.SetGlobalBuffer((__gm__ half*)y + start, part);
    zGm.SetGlobalBuffer((__gm__ half*)z + start, part);
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> xQueue, yQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 2> zQueue;
    pipe.InitBuffer(xQueue, 2, TILE * sizeof(half));
    pipe.InitBuffer(yQueue, 2, TILE * sizeof(half));
    pipe.InitBuffer(zQueue, 2, TILE * sizeof(half));
    for (uint32_t i = 0; i < *tiles; i++) {
        AscendC::LocalTensor<half> a = xQueue.AllocTensor<half>(), b = yQueue.AllocTensor<half>();
        AscendC::DataCopy(a, xGm[i * TILE], TILE);
        AscendC::DataCopy(b, yGm[i * TILE], TILE);
        xQueue.EnQue(a);
        yQueue.EnQue(b);
        a = xQueue.DeQue<half>();
        b = yQueue.DeQue<half>();
        AscendC::LocalTensor<half> c = zQueue.AllocTensor<half>();
        AscendC::Add(c, a, b, TILE);
        zQueue.EnQue(c);
        xQueue.FreeTensor(a);
        yQueue.FreeTensor(b);
        c = zQueue.DeQue<half>();
        AscendC::DataCopy(zGm[i * TILE], c, TILE);
        zQueue.FreeTensor(c);
    }
}
