// The state that instructions leave behind for later ones.
#pragma once

#include <cstdint>

#include "vinci/record.h"

namespace vinci {

// The feature map's description for 3D loads, as SetFmatrix or a load with isSetFMatrix wrote it.
struct FeatureMap {
  uint16_t h = 0, w = 0;
  uint8_t pad[4] = {0, 0, 0, 0};  // left, right, top, bottom
};

// What DataCopy out of L0C takes from SetFixPipeConfig, SetFixpipePreQuantFlag and
// SetFixpipeNz2ndFlag.
struct FixpipeRegisters {
  Operand scales;  // in FB: one 64-bit word for each column; dtype kNone until set
  bool has_scale = false;
  uint64_t scale = 0;
  bool has_matrices = false;
  uint16_t matrices = 0, src_matrix_stride = 0, dst_matrix_stride = 0;
};

// How Mmad takes float operands, as SetHF32Mode and SetHF32TransMode wrote it.
struct Hf32Registers {
  bool on = false;
  bool ties_away = false;  // from 0; else to even
};

struct Registers {
  FeatureMap fmatrix;
  FeatureMap fmatrix_right;  // FMATRIX_B
  uint32_t padding = 0;      // the pad value's bits, repeated to fill the word
  FixpipeRegisters fixpipe;
  Hf32Registers hf32;
};

}  // namespace vinci
