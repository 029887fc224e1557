// Integers times a scale to half or to 8 bits, as the vector unit converts them. The arithmetic is
// that of float, to nearest even.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernel/half_array.h"
#include "numeric/requantize.h"

namespace vinci {

// int32 to half, where `scale_bits` are a half; `saturate` as in halves_of_floats. The documents
// divide by 2^17 before the product and multiply after it. With a half as scale neither loses a
// digit, so that the result is the same without.
inline void halves_of_scaled(const int32_t* in, uint16_t scale_bits, uint16_t* out, size_t count,
                             bool saturate) {
  constexpr size_t kChunk = 128;
  float product[kChunk];
  const float scale = float_of_half(scale_bits);
  for (size_t first = 0; first < count; first += kChunk) {
    const size_t n = std::min(kChunk, count - first);
    for (size_t i = 0; i < n; ++i) product[i] = float(in[first + i]) * scale;
    halves_of_floats(product, out + first, n, saturate);
  }
}

// The same with one rounding: to a half from the exact product, which a double holds.
inline void halves_of_products(const int32_t* in, uint16_t scale_bits, uint16_t* out, size_t count,
                               bool saturate) {
  constexpr size_t kChunk = 128;
  float product[kChunk];
  const double scale = float_of_half(scale_bits);
  for (size_t first = 0; first < count; first += kChunk) {
    const size_t n = std::min(kChunk, count - first);
    for (size_t i = 0; i < n; ++i) product[i] = float_of_double_odd(in[first + i] * scale);
    halves_of_floats(product, out + first, n, saturate);
  }
}

// `word`: as ScaleWord::of_fixpipe reads it, of which scale, offset and is_signed count.
inline uint8_t scaled_to_8_bits(int16_t x, const ScaleWord& word) {
  return to_8_bits(float(x) * word.scale, word);
}

}  // namespace vinci
