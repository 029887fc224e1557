// Image preprocessing: what SetAippFunctions sets, and the record of LoadImageToLocal.
#pragma once

#include "vinci/record.h"

namespace vinci {

// What later LoadImageToLocal calls do. Numbers of the result's type are its bits.
struct Aipp {
  enum class Format : uint8_t { kYuv420sp = 0, kXrgb8888 = 1, kRgb888 = 4, kYuv400 = 9 };

  Operand src0, src1;        // src1: U and V of kYuv420sp; dtype kNone if the call has none
  DType out = DType::kNone;  // of the result
  Format format = Format::kYuv420sp;
  uint32_t padding_mode = 0;  // 0 constant, 1 the nearest pixel, 2 blocks, 3 mirrored blocks
  uint32_t padding[4] = {0, 0, 0, 0};  // by channel, of mode 0
  bool swap_rb = false, swap_uv = false, swap_ax = false;
  bool single_line = false;
  uint8_t mean[3] = {0, 0, 0};  // by channel
  uint16_t min[3] = {0, 0, 0};  // halves
  uint16_t var[3] = {0x3C00, 0x3C00, 0x3C00};
  uint32_t round_mode = 0;
  uint32_t channel_mode = 0;  // 0: 32 bytes a pixel, 1: 4 channels
  uint32_t channel_value = 0;
  bool converts_colours = false;
  int16_t matrix[3][3] = {};        // in 256ths
  uint8_t bias_in[3] = {0, 0, 0};   // added behind a conversion from RGB to YUV
  uint8_t bias_out[3] = {0, 0, 0};  // subtracted before one from YUV to RGB
};

struct SetAippRecord : Record {
  DType src = DType::kNone;
  Aipp aipp;
};

// Sizes and places in pixels.
struct LoadImageRecord : Record {
  Operand dst;
  uint16_t width = 0, height = 0;  // of what is loaded
  uint16_t column = 0, row = 0;    // its first pixel in the image
  uint16_t src_width = 0;
  uint8_t top = 0, bottom = 0, left = 0, right = 0;  // paddings
};

}  // namespace vinci
