#include <cstdint>
#include <fstream>

#include "tikicpulib.h"

extern "C" __global__ __aicore__ void choose(GM_ADDR x, GM_ADDR y, uint32_t length);

int main()
{
    constexpr uint32_t length = 1024;
    constexpr size_t bytes = length * sizeof(float);
    float* x = (float*)AscendC::GmAlloc(bytes);
    float* y = (float*)AscendC::GmAlloc(bytes);
    for (uint32_t i = 0; i < length; ++i) x[i] = float(i);
    std::ofstream out("y.bin", std::ios::binary);
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    for (uint64_t key = 1; key <= 2; ++key) {
        ICPU_SET_TILING_KEY(key);
        ICPU_RUN_KF(choose, 4, (uint8_t*)x, (uint8_t*)y, length);
        out.write((const char*)y, bytes);
    }
    AscendC::GmFree(x);
    AscendC::GmFree(y);
    return 0;
}
