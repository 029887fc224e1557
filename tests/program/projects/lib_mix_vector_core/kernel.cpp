#include "kernel_operator.h"

// More blocks than AI Cores: the Vector Cores take the rest.
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y, uint32_t length)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_VECTOR_CORE);
    uint32_t part = length / AscendC::GetBlockNum();
    AscendC::GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half*)x + AscendC::GetBlockIdx() * part, part);
    yGm.SetGlobalBuffer((__gm__ half*)y + AscendC::GetBlockIdx() * part, part);
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> inQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, part * sizeof(half));
    pipe.InitBuffer(outQueue, 1, part * sizeof(half));

    AscendC::LocalTensor<half> xLocal = inQueue.AllocTensor<half>();
    AscendC::DataCopy(xLocal, xGm, part);
    inQueue.EnQue(xLocal);
    xLocal = inQueue.DeQue<half>();
    AscendC::LocalTensor<half> yLocal = outQueue.AllocTensor<half>();
    AscendC::Adds(yLocal, xLocal, half(1.0), part);
    outQueue.EnQue(yLocal);
    inQueue.FreeTensor(xLocal);
    yLocal = outQueue.DeQue<half>();
    AscendC::DataCopy(yGm, yLocal, part);
    outQueue.FreeTensor(yLocal);
}
