#ifndef SWI_GLU_QUANT_TILING_DATA_H
#define SWI_GLU_QUANT_TILING_DATA_H
#include <cstdint>
#pragma pack(push, 8)
struct SwiGluRowSplit {
    int64_t rowsPerCore = 0;
    int64_t rowsTail = 0;
    int32_t usedCore = 0;
};
struct SwiGluQuantTilingData {
    SwiGluRowSplit split;
    int64_t rows;
    int64_t half_;
    uint32_t chunk[4];
    float epsilon;
    bool activateLeft;
};
#pragma pack(pop)
#endif
