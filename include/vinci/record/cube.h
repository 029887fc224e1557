// Records of the matrix path: loads into L0A and L0B, and the matrix multiplication.
#pragma once

#include "vinci/record.h"

namespace vinci {

// Fractals of 512 B; strides and gaps count fractals.
struct LoadData2DRecord : Record {
  Operand dst, src;
  uint16_t start_index = 0;
  uint16_t src_stride = 0;
  uint16_t dst_gap = 0;
  uint16_t repeats = 0;  // legal up to 255
  uint8_t addr_mode = 0;  // 0: the source walks upwards, 1: downwards
  bool transpose = false;
};

// Squares of 1 (16-bit), 2 (8- and 32-bit) or 4 (4-bit) fractals; the destination's gaps count
// fractals.
struct LoadDataTransposeRecord : Record {
  Operand dst, src;
  uint16_t start_index = 0;  // squares
  uint16_t src_stride = 0;   // squares
  uint16_t dst_gap = 0;
  uint16_t dst_frac_gap = 0;
  uint16_t repeats = 0;
};

// Fractals of 4:2 compressed weights to L0B, and for each 128 B of their indices to beside it.
struct LoadDataSparseRecord : Record {
  Operand dst, src, index;
  uint16_t start_index = 0;  // fractals
  uint16_t repeats = 0;
  bool transpose = false;  // asked for; there is no such thing
};

struct LoadData3DV1Record : Record {
  Operand dst, src;
  uint8_t pad[4] = {0, 0, 0, 0};  // left, right, top, bottom
  uint16_t l1_h = 0, l1_w = 0;
  uint16_t c1_index = 0;
  uint8_t fetch_filter_w = 0, fetch_filter_h = 0;
  int16_t left_top_w = 0, left_top_h = 0;
  uint8_t stride_w = 0, stride_h = 0;
  uint8_t filter_w = 0, filter_h = 0;
  uint8_t dilation_w = 0, dilation_h = 0;
  uint8_t jump_stride = 0;
  uint8_t repeat_mode = 0;
  uint16_t repeats = 0;
  uint8_t c_size = 0;
  bool set_fmatrix = true;  // false: l1_h, l1_w and pad come from the FMATRIX register
  bool set_padding = true;  // false: the pad value comes from the PADDING register
  uint32_t pad_value = 0;   // the element's bits
};

// A block of the image-to-column matrix: rows m_start.. and columns k_start...
struct LoadData3DV2Record : Record {
  Operand dst, src;
  uint8_t pad[4] = {0, 0, 0, 0};  // left, right, top, bottom
  uint16_t l1_h = 0, l1_w = 0;
  uint16_t channels = 0;
  uint16_t k_extension = 0, m_extension = 0;
  uint16_t k_start = 0, m_start = 0;
  uint8_t stride_w = 1, stride_h = 1;
  uint16_t filter_w = 1, filter_h = 1;  // filterSizeW and filterSizeH have added their 256
  uint8_t dilation_w = 1, dilation_h = 1;
  bool transpose = false;
  bool small_k = false;        // asked for; no chip has it any more
  bool right_fmatrix = false;  // fMatrixCtrl: FMATRIX_B describes the feature map
  bool set_fmatrix = true;
  bool set_padding = true;
  uint32_t pad_value = 0;  // the element's bits
};

// `repeats` runs of `blocks` blocks full of one value; a block is 32 B in L1 and 512 B in L0.
struct FillRecord : Record {
  Operand dst;
  uint16_t repeats = 0;
  uint16_t blocks = 0;
  uint16_t gap = 0;    // blocks, from the end of a run to the start of the next
  uint32_t value = 0;  // the element's bits
};

// Vectors of 16 elements in UB, each to the 16 rows of a fractal in L0C.
struct BroadcastRecord : Record {
  Operand dst, src;
  int32_t blocks = 0;
  uint8_t length = 0;   // vectors in a block
  uint8_t src_gap = 0;  // 32 B
  uint8_t dst_gap = 0;  // fractals of 256 elements
};

struct SetFmatrixRecord : Record {
  uint16_t l1_h = 0, l1_w = 0;
  uint8_t pad[4] = {0, 0, 0, 0};
  bool right = false;  // FMATRIX_B
};

struct SetPaddingRecord : Record {
  DType dtype = DType::kNone;
  uint32_t value = 0;  // the element's bits
};

struct SetLoadRepeatRecord : Record {
  uint16_t stride = 0;
  uint16_t times = 1;  // legal up to 255
  uint8_t mode = 0;  // 0: down the matrix, 1: along its rows
};

struct SetLoadBoundaryRecord : Record {
  uint32_t boundary = 0;  // 0: none
};

// Of SetHF32Mode and SetHF32TransMode.
struct SetHf32Record : Record {
  bool value = false;
};

// Also of MmadWithSparse, which takes no bias.
struct MmadRecord : Record {
  Operand c, a, b;
  Operand bias;  // where the initial C comes from; dtype kNone if nowhere else than C or 0
  uint16_t m = 0, n = 0, k = 0;
  bool is_bias = false;
  bool c_init_zero = true;         // cmatrixInitVal
  bool c_from_bias_table = false;  // cmatrixSource
  bool k_direction_align = false;
  uint8_t unit_flag = 0;
  bool disable_gemv = false;
};

}  // namespace vinci
