// The rules of Conv2D's parameters and tiling, apart from any core: the operator, GetConv2dTiling
// on the host and `vinci explain` share them.
#pragma once

#include "isa/operator/product_tiling.h"
#include "vinci/record/conv2d.h"

namespace vinci::conv2d {

using product::Report;

// These return false after a report; they stop at the first broken rule.
bool check_type(DType type, const Report& report);
bool check_params(const Conv2dParams& params, DType type, const Report& report);
// The tiling is one for these parameters, which are legal.
bool check_tiling(const Conv2dTilling& tiling, const Conv2dParams& params, DType type,
                  const Report& report);

// For legal parameters.
Conv2dTilling tiling_of(const Conv2dParams& params, DType type);

}  // namespace vinci::conv2d
