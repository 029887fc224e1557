// TCubeTiling as kernels get it: 50 numbers.
#pragma once

#include <cstdint>

#include "vinci/matmul_tiling.h"

namespace AscendC::tiling {

struct TCubeTiling {
#define VINCI_FIELD(name) int32_t name = 0;
  VINCI_MATMUL_TILING_FIELDS(VINCI_FIELD)
#undef VINCI_FIELD
};
static_assert(sizeof(TCubeTiling) == sizeof(vinci::MatmulTilingData));

}  // namespace AscendC::tiling

using AscendC::tiling::TCubeTiling;
