// The rules of Gemm's sizes and tiling, apart from any core: the operator and GetGemmTiling on the
// host share them.
#pragma once

#include "isa/operator/product_tiling.h"
#include "vinci/record/gemm.h"

namespace vinci::gemm {

// These return false after a report; they stop at the first broken rule.
bool check_sizes(uint32_t m, uint32_t k, uint32_t n, DType type, const product::Report& report);
// The tiling is one for these sizes, which are legal.
bool check_tiling(const GemmTiling& tiling, uint32_t m, uint32_t k, uint32_t n, DType type,
                  const product::Report& report);

// For legal sizes.
GemmTiling tiling_of(uint32_t m, uint32_t k, uint32_t n, DType type);

}  // namespace vinci::gemm
