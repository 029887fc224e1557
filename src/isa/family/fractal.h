// The 512-byte fractal: the unit in which the matrix path moves data.
#pragma once

#include <cstdint>

#include "vinci/dtype.h"

namespace vinci::fractal {

inline constexpr uint64_t kBytes = 512;
inline constexpr unsigned kRows = 16;
inline constexpr uint64_t kRowBytes = 32;

// Elements in the 32 bytes of a row: C0, and K0 of the operands of a multiplication.
constexpr unsigned row_elements(DType type) { return kRowBytes * 8 / bits_of(type); }

constexpr uint64_t ceil_div(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit; }

}  // namespace vinci::fractal
