#include "kernel_operator.h"

extern "C" __global__ __aicore__ void negate(GM_ADDR x, GM_ADDR y, uint32_t length)
{
    uint32_t part = length / AscendC::GetBlockNum();
    AscendC::GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + AscendC::GetBlockIdx() * part, part);
    yGm.SetGlobalBuffer((__gm__ float*)y + AscendC::GetBlockIdx() * part, part);
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> inQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, part * sizeof(float));
    pipe.InitBuffer(outQueue, 1, part * sizeof(float));

    AscendC::LocalTensor<float> xLocal = inQueue.AllocTensor<float>();
    AscendC::DataCopy(xLocal, xGm, part);
    inQueue.EnQue(xLocal);
    xLocal = inQueue.DeQue<float>();
    AscendC::LocalTensor<float> yLocal = outQueue.AllocTensor<float>();
    AscendC::Muls(yLocal, xLocal, float(SIGN), part);
    outQueue.EnQue(yLocal);
    inQueue.FreeTensor(xLocal);
    yLocal = outQueue.DeQue<float>();
    AscendC::DataCopy(yGm, yLocal, part);
    outQueue.FreeTensor(yLocal);
}

// What the program calls: the launch stands beside the kernel.
void negate_do(uint32_t blocks, void* l2ctrl, void* stream, uint8_t* x, uint8_t* y, uint32_t length)
{
    negate<<<blocks, l2ctrl, stream>>>(x, y, length);
}
