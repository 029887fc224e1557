#include "kernel_operator.h"
using namespace AscendC;

// One slice at a time, gathered and spread number by number, as 310P has no padded copies.
class KernelSoftmax {
public:
    __aicore__ inline KernelSoftmax() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, int32_t outer, int32_t length, int32_t inner, int32_t padded)
    {
        this->outer = outer; this->length = length; this->inner = inner;
        xGm.SetGlobalBuffer((__gm__ float*)x, outer * length * inner);
        yGm.SetGlobalBuffer((__gm__ float*)y, outer * length * inner);
        pipe.InitBuffer(buf, padded * sizeof(float));
        pipe.InitBuffer(work, padded * sizeof(float));
        pipe.InitBuffer(one, 32);
    }
    __aicore__ inline void Process()
    {
        LocalTensor<float> p = buf.Get<float>(), w = work.Get<float>(), r = one.Get<float>();
        for (int i = 0; i < outer; ++i) {
            for (int j = 0; j < inner; ++j) {
                for (int k = 0; k < length; ++k) {
                    float val = xGm.GetValue((i * length + k) * inner + j);
                    p.SetValue(k, val);
                }
                pipe_barrier(PIPE_ALL);
                ReduceMax(r, p, w, length, false);
                pipe_barrier(PIPE_ALL);
                float maximum = r.GetValue(0);
                Adds(p, p, -maximum, length);
                Exp(p, p, length);
                pipe_barrier(PIPE_ALL);
                ReduceSum(r, p, w, length);
                pipe_barrier(PIPE_ALL);
                float sum = r.GetValue(0);
                Muls(p, p, 1.0f / sum, length);
                pipe_barrier(PIPE_ALL);
                for (int k = 0; k < length; ++k) {
                    yGm.SetValue((i * length + k) * inner + j, p.GetValue(k));
                }
            }
        }
    }
private:
    TPipe pipe;
    TBuf<> buf, work, one;
    GlobalTensor<float> xGm, yGm;
    int32_t outer, length, inner;
};

extern "C" __global__ __aicore__ void softmax_axis(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(tiling_data, tiling);
    KernelSoftmax op;
    op.Init(x, y, tiling_data.outer, tiling_data.length, tiling_data.inner, tiling_data.padded);
    op.Process();
}
