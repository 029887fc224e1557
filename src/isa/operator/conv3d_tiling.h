// The rules of Conv3D's shapes, and its tilings, apart from any core: the operator and host code
// share them. Sources and decisions: docs/spec/conv3d.md.
#pragma once

#include "isa/operator/product_tiling.h"
#include "vinci/conv3d_tiling.h"

namespace vinci::conv3d {

using product::Report;

inline constexpr int64_t kC0 = 16;  // channels side by side, of half and bfloat16

Conv3dShape shape_of(const Conv3dTilingData& tiling);
// False after a report of the first broken rule.
bool check_shape(const Conv3dShape& shape, const Report& report);

// For legal shapes:

// Planes [H, W, C0] to a slice of the input, and positions of the kernel in one.
int64_t planes_of(const Conv3dShape& shape);
int64_t points_of(const Conv3dShape& shape);
// Bytes of what `rows` rows of a plane of the output need of one of the input, at most.
int64_t plane_bytes(const Conv3dShape& shape, int64_t rows);
// Planes that one 3D load can reach.
int64_t most_planes(const Conv3dShape& shape);

// False after a report.
bool make_tiling(const Conv3dTilingRequest& request, Conv3dTilingData& tiling,
                 const Report& report);

}  // namespace vinci::conv3d
