// What objects ask for that make gradients of a convolution of volumes: one tile of a product, or
// that it is written.
#pragma once

#include "vinci/conv3d_backprop_tiling.h"
#include "vinci/record.h"

namespace vinci {

// A call of an object that makes one tile after the other.
struct Conv3dTileRecord : Record {
  enum class Call : uint8_t { kIterate, kGetTensorC, kEnd } call = Call::kIterate;
  uint64_t object = 0;  // which no other has at the time
  uint64_t tile = 0;    // the number of the tile
  // Iterate: it becomes true where the product has such a tile.
  bool* has_tile = nullptr;
  bool is_over = false;  // no tile is there: the last Iterate has returned false
  uint32_t inits = 0;    // calls of Init
  // GetTensorC: what kernels pass. 1 adds to what is there.
  Operand output;
  uint8_t atomic = 0;
};

struct Conv3dBpInputRecord : Conv3dTileRecord {
  Operand weight;       // [KD, C1, KH, KW, N1, N0, C0], from the core's first channels on
  Operand grad_output;  // [D, N1, H, W, C0], from the first element of the core's first channels on
  bool has_weight = false, has_grad_output = false;
  bool is_ncdhw = false;  // of the output, which else is [D, C1, H * W, C0]
  Conv3dBpInputTilingData tiling;
  // The core's part: where it begins, among the slices of the input and the lines of the spread
  // gradient of the output, and how much it is.
  int64_t first_din = 0, first_ho = 0;
  uint64_t single_m = 0, single_k = 0, single_n = 0;
};

// Of a slice of the input, and of the gradient of the output that meets it.
struct Conv3dBpFilterRecord : Conv3dTileRecord {
  Operand input;        // [C1, H, W, C0], from the first element of the core's first channels on
  Operand grad_output;  // [N1, H, W, C0], alike
  // The output: [C1, KH, KW, N1, N0, C0], from the core's first element on.
  bool has_input = false, has_grad_output = false;
  Conv3dBpFilterTilingData tiling;
  // The core's part: its first line of the gradient of the output, and how much it is.
  uint64_t first_ho = 0;
  uint64_t single_m = 0, single_n = 0, single_k = 0;
};

}  // namespace vinci
