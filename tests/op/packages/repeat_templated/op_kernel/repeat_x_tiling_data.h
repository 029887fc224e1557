#pragma once
namespace RepeatXNs {
struct RepeatXTilingData {
    int64_t rows;
    int64_t row;
    int64_t times;
    int64_t perCore;
};
}
