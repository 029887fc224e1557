#include "kernel_operator.h"
using namespace AscendC;

class MeanAll {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, uint32_t count, uint32_t perCore)
    {
        all = count;
        start = GetBlockIdx() * perCore;
        length = count - start < perCore ? count - start : perCore;
        xGm.SetGlobalBuffer((__gm__ float*)x + start, length);
        yGm.SetGlobalBuffer((__gm__ float*)y + start, length);
        sums.SetGlobalBuffer((__gm__ float*)workspace, GetBlockNum() * 16);
        pipe.InitBuffer(in, 1, MEAN_TILE * sizeof(float));
        pipe.InitBuffer(out, 1, MEAN_TILE * sizeof(float));
        pipe.InitBuffer(sumQue, 1, 64);
        pipe.InitBuffer(allQue, 1, 64 * 64);
        pipe.InitBuffer(work, MEAN_TILE * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        float sum = 0;
        for (uint32_t at = 0; at < length; at += MEAN_TILE) {
            LocalTensor<float> x = CopyIn(at);
            LocalTensor<float> w = work.Get<float>();
            ReduceSum(w, x, w, Part(at));
            PipeBarrier<PIPE_ALL>();
            sum += w.GetValue(0);
            in.FreeTensor(x);
        }
        LocalTensor<float> own = sumQue.AllocTensor<float>();
        Duplicate(own, 0.0f, 16);
        PipeBarrier<PIPE_ALL>();
        own.SetValue(0, sum);
        sumQue.EnQue(own);
        own = sumQue.DeQue<float>();
        DataCopy(sums[GetBlockIdx() * 16], own, 16);
        sumQue.FreeTensor(own);
        SyncAll();
        LocalTensor<float> every = allQue.AllocTensor<float>();
        DataCopy(every, sums, GetBlockNum() * 16);
        allQue.EnQue(every);
        every = allQue.DeQue<float>();
        float total = 0;
        for (int64_t i = 0; i < GetBlockNum(); ++i) total += every.GetValue(i * 16);
        allQue.FreeTensor(every);
        const float mean = total / all;
        for (uint32_t at = 0; at < length; at += MEAN_TILE) {
            LocalTensor<float> x = CopyIn(at);
            LocalTensor<float> y = out.AllocTensor<float>();
            Adds(y, x, -mean, Part(at));
            in.FreeTensor(x);
            out.EnQue(y);
            y = out.DeQue<float>();
            DataCopyPad(yGm[at], y, {1, static_cast<uint32_t>(Part(at) * sizeof(float)), 0, 0, 0});
            out.FreeTensor(y);
        }
    }

private:
    __aicore__ inline uint32_t Part(uint32_t at) { return length - at < MEAN_TILE ? length - at : MEAN_TILE; }
    __aicore__ inline LocalTensor<float> CopyIn(uint32_t at)
    {
        LocalTensor<float> x = in.AllocTensor<float>();
        DataCopyPad(x, xGm[at], {1, static_cast<uint32_t>(Part(at) * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0});
        in.EnQue(x);
        return in.DeQue<float>();
    }
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in, allQue;
    TQue<TPosition::VECOUT, 1> out, sumQue;
    TBuf<TPosition::VECCALC> work;
    GlobalTensor<float> xGm, yGm, sums;
    uint32_t all, start, length;
};

extern "C" __global__ __aicore__ void mean_all(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    GET_TILING_DATA(t, tiling);
    MeanAll op;
    op.Init(x, y, GetUserWorkspace(workspace), t.count, t.perCore);
    op.Process();
}
