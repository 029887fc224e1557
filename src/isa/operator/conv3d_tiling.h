// The rules of shapes of Conv3D and of its gradients, and Conv3D's tilings, apart from any core:
// the operators and host code share them. Sources and decisions: docs/spec/conv3d.md.
#pragma once

#include "isa/operator/product_tiling.h"
#include "vinci/conv3d_tiling.h"

namespace vinci::conv3d {

using product::Report;

inline constexpr int64_t kC0 = 16;  // channels side by side, of half and bfloat16

// For divisors above 0; what is negative makes 0.
constexpr int64_t divided_up(int64_t value, int64_t by) {
  return value <= 0 ? 0 : (value + by - 1) / by;
}

Conv3dShape shape_of(const Conv3dTilingData& tiling);

// False after a report of the first broken rule. What the pads along D are called differs.
bool check_shape(const Conv3dShape& shape, const char* front, const char* back,
                 const Report& report);
bool check_part(const Conv3dShape& shape, const Conv3dPart& part, const Report& report);

// An axis of the gradient of the output, as windows of the transposed convolution see it: its
// elements lie `stride` apart, and `axis` is the part of them from `first` on that windows reach.
struct SpreadAxis {
  Conv3dAxis axis;
  int64_t first;
};
SpreadAxis spread(const Conv3dAxis& axis);

// For legal shapes:

// Blocks of C0 channels: planes [H, W, C0] to a slice.
int64_t blocks_of(int64_t channels);
// Positions of the kernel in a plane.
int64_t points_of(const Conv3dShape& shape);
// Bytes of a plane [h, w, C0] that `rows` rows of windows need, at most.
int64_t plane_bytes(const Conv3dAxis& h, const Conv3dAxis& w, int64_t rows);
// Planes that one 3D load can reach.
int64_t most_planes(const Conv3dShape& shape);
// Rows or columns of a tile, of so many.
int64_t tile_of(int64_t size);

// A product that is cut into tiles: rows of windows of `planes` planes, and channels. A tile may
// begin with `lead` rows more, which are not its own.
struct Whole {
  Conv3dAxis h, w;  // of the planes
  int64_t points = 0, planes = 0, rows = 0, channels = 0, lead = 0;
  bool has_bias = false;
};
// A tile of m x n results and depth k; planes of the map and of the weights that L1 holds.
struct Cut {
  int64_t m = 0, n = 0, k = 0, planes = 0, weights = 0;
};
// False after a report.
bool cut(const Whole& whole, const Conv3dMemory& memory, Cut& cut, const Report& report);

// False after a report.
bool make_tiling(const Conv3dTilingRequest& request, Conv3dTilingData& tiling,
                 const Report& report);

// Where host code's broken rules go: to stderr.
void tell_host(Code code, std::string text, std::string legal);

}  // namespace vinci::conv3d
