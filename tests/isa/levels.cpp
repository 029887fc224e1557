// Everything whose bits could depend on the host's vector unit, in one kernel: half and float Add,
// and Mmad to float and to half (read back as CO1 -> CO2). A barrier of all pipes after each stage.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kCount = 2048;
constexpr uint16_t kM = 32, kN = 48, kK = 40;

template <class T>
__aicore__ inline void AddAll(GM_ADDR in, GM_ADDR out)
{
    GlobalTensor<T> source, target;
    source.SetGlobalBuffer((__gm__ T*)in, 2 * kCount);
    target.SetGlobalBuffer((__gm__ T*)out, kCount);
    LocalTensor<T> a(TPosition::VECIN, 0, kCount);
    LocalTensor<T> b(TPosition::VECIN, 16384, kCount);
    DataCopy(a, source, kCount);
    DataCopy(b, source[kCount], kCount);
    PipeBarrier<PIPE_ALL>();
    Add(a, a, b, kCount);
    PipeBarrier<PIPE_ALL>();
    DataCopy(target, a, kCount);
    PipeBarrier<PIPE_ALL>();
}

template <class T>
__aicore__ inline void Multiply(GM_ADDR in, GM_ADDR out)
{
    GlobalTensor<half> source;
    GlobalTensor<T> target;
    source.SetGlobalBuffer((__gm__ half*)in, 2 * kCount);
    target.SetGlobalBuffer((__gm__ T*)out, kM * kN);
    LocalTensor<half> a(TPosition::A2, 0, 32 * 48);
    LocalTensor<half> b(TPosition::B2, 0, 48 * 48);
    LocalTensor<T> c(TPosition::CO1, 0, kM * kN);
    LocalTensor<T> ub(TPosition::CO2, 0, kM * kN);
    LoadData(a, source, LoadData2DParams(0, 2 * 3, 1, 0, 0, false, 0));
    LoadData(b, source, LoadData2DParams(3, 3 * 3, 1, 0, 0, false, 0));
    PipeBarrier<PIPE_ALL>();
    Mmad(c, a, b, MmadParams(kM, kN, kK, 0, false, true));
    PipeBarrier<PIPE_ALL>();
    DataCopyEnhancedParams enhanced;
    enhanced.blockMode = BlockMode::BLOCK_MODE_MATRIX;
    DataCopy(ub, c, DataCopyParams(1, kM * kN / 256, 0, 0), enhanced);
    PipeBarrier<PIPE_ALL>();
    DataCopy(target, ub, kM * kN);
    PipeBarrier<PIPE_ALL>();
}

extern "C" __global__ __aicore__ void levels(GM_ADDR halves, GM_ADDR floats, GM_ADDR half_sums,
    GM_ADDR float_sums, GM_ADDR product, GM_ADDR half_product)
{
    AddAll<half>(halves, half_sums);
    AddAll<float>(floats, float_sums);
    Multiply<float>(halves, product);
    Multiply<half>(halves, half_product);
}
