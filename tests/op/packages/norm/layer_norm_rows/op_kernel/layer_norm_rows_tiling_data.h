#ifndef LAYER_NORM_ROWS_TILING_DATA_H_
#define LAYER_NORM_ROWS_TILING_DATA_H_
#include <cstdint>
#pragma pack(push, 8)
struct alignas(8) LayerNormRowsTilingData {
    uint32_t rows;
    uint32_t columns;
    uint32_t rowsPerCore;
    float epsilon;
    uint8_t hasGamma;
    uint8_t hasBeta;
};
#pragma pack(pop)
#endif
