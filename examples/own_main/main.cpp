// A program with its own main() that starts a kernel:
//
//   vinci c++ --soc Ascend310P3 main.cpp -o main && ./main
#include <cstdio>

#include "tikicpulib.h"

extern "C" __global__ __aicore__ void add_ramp(GM_ADDR values, int32_t count)
{
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::QuePosition::VECIN, 1> in;
    AscendC::TQue<AscendC::QuePosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, count * sizeof(int32_t));
    pipe.InitBuffer(out, 1, count * sizeof(int32_t));
    AscendC::GlobalTensor<int32_t> global;
    global.SetGlobalBuffer((__gm__ int32_t*)values + AscendC::GetBlockIdx() * count, count);

    AscendC::LocalTensor<int32_t> x = in.AllocTensor<int32_t>();
    AscendC::DataCopy(x, global, count);
    in.EnQue(x);
    x = in.DeQue<int32_t>();
    AscendC::LocalTensor<int32_t> twice = out.AllocTensor<int32_t>();
    AscendC::Add(twice, x, x, count);
    out.EnQue(twice);
    in.FreeTensor(x);
    twice = out.DeQue<int32_t>();
    AscendC::DataCopy(global, twice, count);
    out.FreeTensor(twice);
}

int main()
{
    constexpr int32_t count = 64, blocks = 2;
    auto* values = static_cast<int32_t*>(AscendC::GmAlloc(count * blocks * sizeof(int32_t)));
    for (int32_t i = 0; i < count * blocks; ++i) {
        values[i] = i;
    }
    ICPU_RUN_KF(add_ramp, blocks, reinterpret_cast<uint8_t*>(values), count);
    for (int32_t i = 0; i < count * blocks; ++i) {
        if (values[i] != 2 * i) {
            std::printf("element %d is %d\n", i, values[i]);
            return 1;
        }
    }
    std::printf("%d elements doubled by %d blocks\n", count * blocks, blocks);
    AscendC::GmFree(values);
}
