#include "kernel_operator.h"

#include "numbers.h"

extern "C" __global__ __aicore__ void count_up(GM_ADDR out, Numbers numbers, int64_t add, float unused)
{
    AscendC::GlobalTensor<int64_t> outGm;
    outGm.SetGlobalBuffer((__gm__ int64_t*)out, 64);
    if (AscendC::GetBlockIdx() != 0) {
        return;
    }
    for (uint32_t i = 0; i < numbers.count; ++i) {
        outGm.SetValue(i, numbers.first + i * numbers.step + add);
    }
    AscendC::DataCacheCleanAndInvalid<int64_t, AscendC::CacheLine::ENTIRE_DATA_CACHE,
        AscendC::DcciDst::CACHELINE_OUT>(outGm);
}
