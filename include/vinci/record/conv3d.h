// What a Conv3D object asks for: a part of a convolution of volumes, or that it ends.
#pragma once

#include "vinci/conv3d_tiling.h"
#include "vinci/record.h"

namespace vinci {

struct Conv3dRecord : Record {
  Operand input;   // [D, C1, H, W, C0], from its first element on
  Operand weight;  // [KD, C1, KH, KW, N1, N0, C0], from the core's first channel on
  Operand bias;    // from there, too
  Operand output;  // [D, C1, H * W, C0], from the core's first element on
  bool has_input = false, has_weight = false, has_bias = false;
  Conv3dTilingData tiling;
  // The core's part: where it begins, among the slices of the padded input and the rows of a plane
  // of the output, and how much it is.
  int64_t first_di = 0, first_m = 0;
  uint64_t single_co = 0, single_do = 0, single_m = 0;
  uint32_t inits = 0, iterations = 0;  // calls of Init and IterateAll, with this one
  bool ends = false;                   // End
};

}  // namespace vinci
