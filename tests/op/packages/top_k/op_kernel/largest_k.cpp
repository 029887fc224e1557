#include "kernel_operator.h"

namespace {
using AscendC::LocalTensor;
constexpr float LEAST = -3.4e38f;
constexpr uint32_t PAIR = 8;  // bytes of a score and its index
}

class LargestK {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR values, GM_ADDR indices, const LargestKTilingData* tiling)
    {
        t = tiling;
        xGm.SetGlobalBuffer((__gm__ float*)x, t->rows * t->columns);
        valuesGm.SetGlobalBuffer((__gm__ float*)values, t->rows * t->k);
        indicesGm.SetGlobalBuffer((__gm__ int32_t*)indices, t->rows * t->k);
        pipe.InitBuffer(inQue, 1, t->padded * sizeof(float));
        pipe.InitBuffer(valuesQue, 1, t->padded * sizeof(float));
        pipe.InitBuffer(indicesQue, 1, t->padded * sizeof(uint32_t));
        pipe.InitBuffer(numbers, t->padded * sizeof(uint32_t));
        pipe.InitBuffer(sorted, t->padded * PAIR);
        pipe.InitBuffer(tmp, t->tmpBytes + t->padded * PAIR);
    }
    __aicore__ inline void Process()
    {
        LocalTensor<int32_t> number = numbers.Get<int32_t>();
        AscendC::CreateVecIndex(number, int32_t(0), t->padded);
        for (uint32_t row = 0; row < t->rows; ++row) {
            CopyIn(row);
            Compute();
            CopyOut(row);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t row)
    {
        LocalTensor<float> x = inQue.AllocTensor<float>();
        AscendC::Duplicate(x, LEAST, t->padded);
        event_t id = static_cast<event_t>(pipe.FetchEventID(AscendC::HardEvent::V_MTE2));
        AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(id);
        AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(id);
        const uint8_t fill = (8 - t->columns % 8) % 8;
        AscendC::DataCopyPad(x, xGm[row * t->columns], {1, static_cast<uint32_t>(t->columns * sizeof(float)), 0, 0, 0},
                             {true, 0, fill, LEAST});
        inQue.EnQue(x);
    }
    __aicore__ inline void Compute()
    {
        LocalTensor<float> x = inQue.DeQue<float>();
        LocalTensor<float> values = valuesQue.AllocTensor<float>();
        LocalTensor<uint32_t> indices = indicesQue.AllocTensor<uint32_t>();
        LocalTensor<float> result = sorted.Get<float>(), space = tmp.Get<float>(), all;
        LocalTensor<uint32_t> number = numbers.Get<uint32_t>();
        const uint32_t repeat = t->padded / 32;
        AscendC::Concat(all, x, space, t->padded / 16);
        AscendC::Sort<float, true>(result, all, number, space, repeat);
        AscendC::Extract(values, indices, result, repeat);
        valuesQue.EnQue(values);
        indicesQue.EnQue(indices);
        inQue.FreeTensor(x);
    }
    __aicore__ inline void CopyOut(uint32_t row)
    {
        LocalTensor<float> values = valuesQue.DeQue<float>();
        LocalTensor<int32_t> indices = indicesQue.DeQue<int32_t>();
        const AscendC::DataCopyExtParams params{1, static_cast<uint32_t>(t->k * sizeof(float)), 0, 0, 0};
        AscendC::DataCopyPad(valuesGm[row * t->k], values, params);
        AscendC::DataCopyPad(indicesGm[row * t->k], indices, params);
        valuesQue.FreeTensor(values);
        indicesQue.FreeTensor(indices);
    }

    const LargestKTilingData* t;
    AscendC::TPipe pipe;
    AscendC::GlobalTensor<float> xGm, valuesGm;
    AscendC::GlobalTensor<int32_t> indicesGm;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> inQue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> valuesQue, indicesQue;
    AscendC::TBuf<AscendC::TPosition::VECCALC> numbers, sorted, tmp;
};

extern "C" __global__ __aicore__ void largest_k(GM_ADDR x, GM_ADDR k, GM_ADDR values, GM_ADDR indices,
                                                GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    LargestK op;
    op.Init(x, values, indices, &tilingData);
    op.Process();
}
