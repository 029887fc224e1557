#include "kernel_operator.h"

struct TilingData {
    uint32_t length;
    float factor;
};

// Each block leaves its part, multiplied, in its part of the workspace, and copies it back from there.
extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    __gm__ TilingData* data = (__gm__ TilingData*)tiling;
    uint32_t part = data->length / AscendC::GetBlockNum();
    uint32_t start = part * AscendC::GetBlockIdx();
    AscendC::GlobalTensor<float> xGm, yGm, kept;
    xGm.SetGlobalBuffer((__gm__ float*)x + start, part);
    yGm.SetGlobalBuffer((__gm__ float*)y + start, part);
    kept.SetGlobalBuffer((__gm__ float*)workspace + start, part);
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, part * sizeof(float));
    AscendC::LocalTensor<float> local = buffer.Get<float>();
    AscendC::DataCopy(local, xGm, part);
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::Muls(local, local, data->factor, part);
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::DataCopy(kept, local, part);
    AscendC::SetFlag<AscendC::HardEvent::MTE3_MTE2>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::MTE3_MTE2>(EVENT_ID0);
    AscendC::DataCopy(local, kept, part);
    AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE3>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE3>(EVENT_ID0);
    AscendC::DataCopy(yGm, local, part);
}
