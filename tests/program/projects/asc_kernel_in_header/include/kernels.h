#pragma once
#include "kernel_operator.h"

namespace kernels {

template <typename T>
__global__ __vector__ void square(GM_ADDR x, GM_ADDR y, uint32_t length)
{
    uint32_t part = length / AscendC::GetBlockNum();
    AscendC::GlobalTensor<T> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ T*)x + AscendC::GetBlockIdx() * part, part);
    yGm.SetGlobalBuffer((__gm__ T*)y + AscendC::GetBlockIdx() * part, part);
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> inQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, part * sizeof(T));
    pipe.InitBuffer(outQueue, 1, part * sizeof(T));

    AscendC::LocalTensor<T> xLocal = inQueue.template AllocTensor<T>();
    AscendC::DataCopy(xLocal, xGm, part);
    inQueue.EnQue(xLocal);
    xLocal = inQueue.template DeQue<T>();
    AscendC::LocalTensor<T> yLocal = outQueue.template AllocTensor<T>();
    AscendC::Mul(yLocal, xLocal, xLocal, part);
    outQueue.EnQue(yLocal);
    inQueue.FreeTensor(xLocal);
    yLocal = outQueue.template DeQue<T>();
    AscendC::DataCopy(yGm, yLocal, part);
    outQueue.FreeTensor(yLocal);
}

}  // namespace kernels

#define LAUNCH(kernel, blocks, stream, ...) kernel<<<(blocks), 0, (stream)>>>(__VA_ARGS__)
