// The rules of shapes of a convolution's gradients, and their tilings, apart from any core.
// Sources and decisions: docs/spec/conv3d_backprop_input.md, docs/spec/conv3d_backprop_filter.md.
#pragma once

#include "isa/operator/conv3d_tiling.h"
#include "vinci/conv3d_backprop_tiling.h"

namespace vinci::conv3d {

template <class Tiling>  // of either gradient
Conv3dShape shape_of(const Tiling& t) {
  Conv3dShape shape;
  shape.ci = t.cin;
  shape.co = t.cout;
  shape.d = {t.di, t.dk, t.strideD, t.dilationD, t.padFront, t.padBack};
  shape.h = {t.hi, t.hk, t.strideH, t.dilationH, t.padUp, t.padDown};
  shape.w = {t.wi, t.wk, t.strideW, t.dilationW, t.padLeft, t.padRight};
  return shape;
}

// Zeros around the spread gradient of the output; below 0: so much of it is not seen.
struct SpreadPads {
  int64_t before, after;
};
SpreadPads spread_pads(const Conv3dAxis& axis);

// Beside check_shape: what windows see of the spread gradient is a map that 3D loads take.
bool check_spread(const Conv3dShape& shape, const Report& report);

// Of the gradient of the weights: bytes of L1 that a tile of `m` channels takes for so many lines
// of the gradient of the output, and how many, up to `wanted`, fit; one at least.
uint64_t filter_l1_bytes(const Conv3dShape& shape, uint32_t m, int64_t lines);
int64_t filter_lines(const Conv3dShape& shape, uint32_t m, uint64_t l1_bytes, int64_t wanted);

// False after a report.
bool make_tiling(const Conv3dBackpropRequest& request, Conv3dBpInputTilingData& tiling,
                 const Report& report);
bool make_tiling(const Conv3dBackpropRequest& request, Conv3dBpFilterTilingData& tiling,
                 const Report& report);

}  // namespace vinci::conv3d
