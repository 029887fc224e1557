// Images as AIPP reads them, and what it makes of a pixel.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "numeric/convert.h"
#include "vinci/record/aipp.h"

namespace vinci::image {

using Format = Aipp::Format;

constexpr bool is_format(Format format) {
  return format == Format::kYuv420sp || format == Format::kXrgb8888 || format == Format::kRgb888 ||
         format == Format::kYuv400;
}
// Of the plane that has one for each pixel.
constexpr uint32_t bytes_of_pixel(Format format) {
  return format == Format::kXrgb8888 ? 4 : format == Format::kRgb888 ? 3 : 1;
}
// Of the result, before it is filled up.
constexpr uint32_t channels(Format format) { return format == Format::kYuv400 ? 1 : 3; }
constexpr bool is_yuv(Format format) {
  return format == Format::kYuv420sp || format == Format::kYuv400;
}

using Pixel = std::array<int, 3>;

// A pixel's channels, those exchanged that are to be.
inline Pixel pixel_at(const Aipp& aipp, const uint8_t* plane0, const uint8_t* plane1,
                      uint64_t src_width, uint64_t row, uint64_t column) {
  const uint8_t* at = plane0 + (row * src_width + column) * bytes_of_pixel(aipp.format);
  if (aipp.format == Format::kYuv400) return {*at, 0, 0};
  Pixel pixel;
  if (aipp.format == Format::kYuv420sp) {
    const uint8_t* uv = plane1 + row / 2 * src_width + column / 2 * 2;
    pixel = {*at, uv[aipp.swap_uv ? 1 : 0], uv[aipp.swap_uv ? 0 : 1]};
  } else {
    if (aipp.format == Format::kXrgb8888 && aipp.swap_ax) ++at;
    pixel = {at[0], at[1], at[2]};
    if (aipp.swap_rb) std::swap(pixel[0], pixel[2]);
  }
  return pixel;
}

// The matrix times the pixel, in 256ths, rounded down; 0..255.
inline Pixel with_colours_converted(const Aipp& aipp, Pixel pixel) {
  if (!aipp.converts_colours) return pixel;
  const bool from_yuv = is_yuv(aipp.format);
  if (from_yuv) {
    for (size_t i = 0; i < 3; ++i) pixel[i] -= aipp.bias_out[i];
  }
  Pixel converted;
  for (size_t i = 0; i < 3; ++i) {
    int sum = 0;
    for (size_t j = 0; j < 3; ++j) sum += aipp.matrix[i][j] * pixel[j];
    converted[i] = std::clamp((sum >> 8) + (from_yuv ? 0 : aipp.bias_in[i]), 0, 255);
  }
  return converted;
}

// A half: rounded once, to nearest, ties to even.
inline uint16_t normalised(int value, int mean, uint16_t min, uint16_t var, Overflow overflow) {
  // Exact: 40 digits of the difference at most, times 11.
  const double exact =
      (double(value - mean) - double(float_of_half(min))) * double(float_of_half(var));
  Number number;
  number.nan = std::isnan(exact);
  number.infinite = std::isinf(exact);
  number.negative = std::signbit(exact);
  if (std::isfinite(exact)) {
    int exponent = 0;
    number.significand = uint64_t(std::ldexp(std::frexp(std::fabs(exact), &exponent), 53));
    number.exponent = exponent - 53;
  }
  return float_of<half>(number, Round::kRint, overflow);
}

// An element of the result's type, as its bits.
inline uint32_t element_of(const Aipp& aipp, int value, size_t channel, Overflow overflow) {
  const int mean = aipp.mean[channel];
  switch (aipp.out) {
    case DType::kInt8: return uint8_t(std::clamp(value - mean, -128, 127));
    case DType::kHalf:
      return normalised(value, mean, aipp.min[channel], aipp.var[channel], overflow);
    default: return uint32_t(value);
  }
}

// Which pixel of `size` stands at `index`, outside of them at paddings of `before` and `after`; 1:
// the nearest, 2: of the block at that end, 3: of the same mirrored.
inline uint32_t padded_index(int index, int size, int before, int after, uint32_t mode) {
  if (index >= 0 && index < size) return uint32_t(index);
  if (mode == 1) return uint32_t(std::clamp(index, 0, size - 1));
  if (mode == 2) return uint32_t(index < 0 ? index + before : index - after);
  return uint32_t(index < 0 ? -1 - index : 2 * size - 1 - index);
}

}  // namespace vinci::image
