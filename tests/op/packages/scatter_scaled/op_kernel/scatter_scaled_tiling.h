#ifndef SCATTER_SCALED_TILING_H
#define SCATTER_SCALED_TILING_H
#include <cstdint>
struct ScatterScaledRange { uint32_t begin; uint32_t end; };
struct ScatterScaledTilingData {
    uint32_t rows;
    uint32_t cols;
    uint32_t count;
    uint32_t cores;
    ScatterScaledRange ranges[8];
    float fill;
};
#endif
