#include "kernel_operator.h"

extern "C" __global__ __aicore__ void scale(__gm__ float* x, __gm__ float* y, float by)
{
    AscendC::LocalTensor<float> ub(AscendC::TPosition::VECCALC, 0, 64);
    AscendC::GlobalTensor<float> from, to;
    from.SetGlobalBuffer(x + AscendC::GetBlockIdx() * 64, 64);
    to.SetGlobalBuffer(y + AscendC::GetBlockIdx() * 64, 64);
    AscendC::DataCopy(ub, from, 64);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Muls(ub, ub, by, 64);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DataCopy(to, ub, 64);
}
