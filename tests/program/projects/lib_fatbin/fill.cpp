#include "kernel_operator.h"

extern "C" __global__ __aicore__ void fill(__gm__ uint8_t* out, uint8_t value, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) out[i] = value;
}
