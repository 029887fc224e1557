#include "kernel_operator.h"
using namespace AscendC;

class MatmulSmall {
public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c, int32_t m_, int32_t n_, int32_t k_)
    {
        row = GetBlockIdx() * 16;
        m = m_ - row < 16 ? m_ - row : 16;
        n = n_;
        k = k_;
        n16 = (n + 15) / 16 * 16;
        k16 = (k + 15) / 16 * 16;
        aGM.SetGlobalBuffer((__gm__ half*)a + row * k, m * k);
        bGM.SetGlobalBuffer((__gm__ half*)b, k * n);
        cGM.SetGlobalBuffer((__gm__ float*)c + row * n, m * n);
        pipe.InitBuffer(inQueueA1, 1, 16 * k16 * sizeof(half));
        pipe.InitBuffer(inQueueA2, 1, 16 * k16 * sizeof(half));
        pipe.InitBuffer(inQueueB1, 1, k16 * n16 * sizeof(half));
        pipe.InitBuffer(inQueueB2, 1, k16 * n16 * sizeof(half));
        pipe.InitBuffer(outQueueCO1, 1, 16 * n16 * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        CopyIn();
        SplitA();
        SplitB();
        Compute();
        CopyOut();
    }

private:
    __aicore__ inline void CopyIn()
    {
        LocalTensor<half> a1 = inQueueA1.AllocTensor<half>();
        LocalTensor<half> b1 = inQueueB1.AllocTensor<half>();
        InitConstValue(a1, InitConstValueParams<half>{1, static_cast<uint16_t>(16 * k16 * sizeof(half) / 32), 0, static_cast<half>(0)});
        InitConstValue(b1, InitConstValueParams<half>{1, static_cast<uint16_t>(k16 * n16 * sizeof(half) / 32), 0, static_cast<half>(0)});
        PipeBarrier<PIPE_MTE2>();
        Nd2NzParams forA(1, m, k, 0, k, 16, 1, 0), forB(1, k, n, 0, n, k16, 1, 0);
        DataCopy(a1, aGM, forA);
        DataCopy(b1, bGM, forB);
        inQueueA1.EnQue(a1);
        inQueueB1.EnQue(b1);
    }
    __aicore__ inline void SplitA()
    {
        LocalTensor<half> a1 = inQueueA1.DeQue<half>();
        LocalTensor<half> a2 = inQueueA2.AllocTensor<half>();
        LoadData2DParams params;
        params.repeatTimes = k16 / 16;
        params.srcStride = 1;
        params.ifTranspose = false;
        LoadData(a2, a1, params);
        inQueueA2.EnQue<half>(a2);
        inQueueA1.FreeTensor(a1);
    }
    __aicore__ inline void SplitB()
    {
        LocalTensor<half> b1 = inQueueB1.DeQue<half>();
        LocalTensor<half> b2 = inQueueB2.AllocTensor<half>();
        for (int i = 0; i < k16 / 16; ++i) {
            LoadData2DParams params;
            params.repeatTimes = n16 / 16;
            params.srcStride = k16 / 16;
            params.ifTranspose = true;
            LoadData(b2[i * n16 * 16], b1[i * 256], params);
        }
        inQueueB2.EnQue<half>(b2);
        inQueueB1.FreeTensor(b1);
    }
    __aicore__ inline void Compute()
    {
        LocalTensor<half> a2 = inQueueA2.DeQue<half>();
        LocalTensor<half> b2 = inQueueB2.DeQue<half>();
        LocalTensor<float> c1 = outQueueCO1.AllocTensor<float>();
        MmadParams params;
        params.m = m == 1 ? 16 : m;  // one row would be a vector
        params.n = n;
        params.k = k;
        Mmad(c1, a2, b2, params);
        outQueueCO1.EnQue<float>(c1);
        inQueueA2.FreeTensor(a2);
        inQueueB2.FreeTensor(b2);
    }
    __aicore__ inline void CopyOut()
    {
        LocalTensor<float> c1 = outQueueCO1.DeQue<float>();
        FixpipeParamsV220 params;
        params.nSize = n;
        params.mSize = m;
        params.srcStride = 16;
        params.dstStride = n;
        params.ndNum = 1;
        params.srcNdStride = 0;
        params.dstNdStride = 0;
        Fixpipe(cGM, c1, params);
        outQueueCO1.FreeTensor(c1);
    }
    TPipe pipe;
    TQue<QuePosition::A1, 1> inQueueA1;
    TQue<QuePosition::A2, 1> inQueueA2;
    TQue<QuePosition::B1, 1> inQueueB1;
    TQue<QuePosition::B2, 1> inQueueB2;
    TQue<QuePosition::CO1, 1> outQueueCO1;
    GlobalTensor<half> aGM, bGM;
    GlobalTensor<float> cGM;
    int32_t row, m, n, k, n16, k16;
};

extern "C" __global__ __aicore__ void matmul_small(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    GET_TILING_DATA(t, tiling);
    MatmulSmall op;
    op.Init(a, b, c, t.m, t.n, t.k);
    op.Process();
}
