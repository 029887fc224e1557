#ifndef POWER_TILING_H
#define POWER_TILING_H
#include <cstdint>

struct PowerCommon {
    uint64_t count;
    float scale;
};
class PowerWholeTilingData {
public:
    PowerCommon common;
    int32_t exponent;
};
class PowerRealTilingData {
public:
    PowerCommon common;
    float exponent = 1.0f;
    uint8_t flags[5];
};
#endif
