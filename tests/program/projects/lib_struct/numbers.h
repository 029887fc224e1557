#ifndef NUMBERS_H
#define NUMBERS_H
#include <cstdint>
struct Numbers {
    uint32_t count;
    int64_t first;
    int64_t step;
};
#endif
