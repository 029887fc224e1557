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
  uint8_t repeats = 0;
  uint8_t addr_mode = 0;  // 0: the source walks upwards, 1: downwards
  bool transpose = false;
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
  uint8_t repeats = 0;
  uint8_t c_size = 0;
  bool set_fmatrix = true;  // false: l1_h, l1_w and pad come from the FMATRIX register
  bool set_padding = true;  // false: the pad value comes from the PADDING register
  uint32_t pad_value = 0;   // the element's bits
};

struct MmadRecord : Record {
  Operand c, a, b;
  uint16_t m = 0, n = 0, k = 0;
  bool is_bias = false;
  bool c_init_zero = true;      // cmatrixInitVal
  bool c_from_bias_table = false;  // cmatrixSource
  bool k_direction_align = false;
  uint8_t unit_flag = 0;
};

}  // namespace vinci
