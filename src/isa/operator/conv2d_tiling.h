// The rules of Conv2D's parameters and tiling, apart from any core: the operator, GetConv2dTiling
// on the host and `vinci explain` share them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "vinci/fault.h"
#include "vinci/record/conv2d.h"

namespace vinci::conv2d {

// Both chips have as much L0A and L0B, and the tiling knows no chip.
inline constexpr uint32_t kL0Bytes = 64 << 10;
inline constexpr uint32_t kBlock = 16;  // rows of M and columns of N in a fractal

// Receives a broken rule: what is wrong, and what would be legal.
using Report = std::function<void(Code, std::string text, std::string legal)>;

// These return false after a report; they stop at the first broken rule.
bool check_type(DType type, const Report& report);
bool check_params(const Conv2dParams& params, DType type, const Report& report);
// The tiling is one for these parameters, which are legal.
bool check_tiling(const Conv2dTilling& tiling, const Conv2dParams& params, DType type,
                  const Report& report);

// For legal parameters.
Conv2dTilling tiling_of(const Conv2dParams& params, DType type);

// Whether the tiles of both operands leave room for a second one.
bool has_two_buffers(const Conv2dTilling& tiling);

// One tile of A, or of B, in bytes.
uint64_t a_tile_bytes(const Conv2dTilling& tiling);
uint64_t b_tile_bytes(const Conv2dTilling& tiling);

}  // namespace vinci::conv2d
