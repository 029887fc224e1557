#pragma once
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t ROW_TILE = 2048;

// Where a core's part of `count` begins, and how long it is.
struct Part {
    int64_t start;
    int64_t count;
    __aicore__ inline Part(int64_t all, int64_t perCore)
    {
        start = GetBlockIdx() * perCore;
        count = all - start < perCore ? all - start : perCore;
    }
};

template <typename T>
__aicore__ inline DataCopyExtParams BytesOf(int64_t elements)
{
    return DataCopyExtParams(1, static_cast<uint32_t>(elements * sizeof(T)), 0, 0, 0);
}
