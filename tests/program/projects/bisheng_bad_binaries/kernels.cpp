#include "kernel_operator.h"

extern "C" __global__ __aicore__ void put(__gm__ int32_t* out, int32_t value) { out[0] = value; }

extern "C" __global__ __aicore__ void past_the_end(__gm__ int32_t* out)
{
    AscendC::GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer(out, 16);
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 128);
    AscendC::LocalTensor<int32_t> local = buffer.Get<int32_t>();
    AscendC::Duplicate(local, 1, 32);
    AscendC::DataCopy(gm[16], local, 32); // the line of the report
}
