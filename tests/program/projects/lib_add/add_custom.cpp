#include "kernel_operator.h"

constexpr int32_t BUFFERS = 2;
constexpr uint32_t TILE = 128;

class KernelAdd {
public:
    __aicore__ inline KernelAdd() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length)
    {
        part = length / AscendC::GetBlockNum();
        uint32_t start = part * AscendC::GetBlockIdx();
        xGm.SetGlobalBuffer((__gm__ half*)x + start, part);
        yGm.SetGlobalBuffer((__gm__ half*)y + start, part);
        zGm.SetGlobalBuffer((__gm__ half*)z + start, part);
        pipe.InitBuffer(inQueueX, BUFFERS, TILE * sizeof(half));
        pipe.InitBuffer(inQueueY, BUFFERS, TILE * sizeof(half));
        pipe.InitBuffer(outQueueZ, BUFFERS, TILE * sizeof(half));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t i = 0; i < part / TILE; i++) {
            CopyIn(i);
            Compute();
            CopyOut(i);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t i)
    {
        AscendC::LocalTensor<half> x = inQueueX.AllocTensor<half>();
        AscendC::LocalTensor<half> y = inQueueY.AllocTensor<half>();
        AscendC::DataCopy(x, xGm[i * TILE], TILE);
        AscendC::DataCopy(y, yGm[i * TILE], TILE);
        inQueueX.EnQue(x);
        inQueueY.EnQue(y);
    }
    __aicore__ inline void Compute()
    {
        AscendC::LocalTensor<half> x = inQueueX.DeQue<half>();
        AscendC::LocalTensor<half> y = inQueueY.DeQue<half>();
        AscendC::LocalTensor<half> z = outQueueZ.AllocTensor<half>();
        AscendC::Add(x, x, y, TILE);
        AscendC::PipeBarrier<PIPE_V>();
        // inside UB: no reason to take this for a kernel of matrices
        AscendC::DataCopy(z, x, TILE);
        outQueueZ.EnQue<half>(z);
        inQueueX.FreeTensor(x);
        inQueueY.FreeTensor(y);
    }
    __aicore__ inline void CopyOut(uint32_t i)
    {
        AscendC::LocalTensor<half> z = outQueueZ.DeQue<half>();
        AscendC::DataCopy(zGm[i * TILE], z, TILE);
        outQueueZ.FreeTensor(z);
    }

    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, BUFFERS> inQueueX, inQueueY;
    AscendC::TQue<AscendC::TPosition::VECOUT, BUFFERS> outQueueZ;
    AscendC::GlobalTensor<half> xGm, yGm, zGm;
    uint32_t part;
};

extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length)
{
    KernelAdd op;
    op.Init(x, y, z, length);
    op.Process();
}
