// The 64-bit scale word of results that leave L0C, and what it does to one number.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "vinci/float_bits.h"

namespace vinci {

// Bits: 31..0 scale (a float, of which Fixpipe reads 31..13), 35..32 shift - 1, 36 shift enabled,
// 45..37 signed offset, 46 signed result, 47 ReLU (Fixpipe has it elsewhere).
struct ScaleWord {
  float scale = 0;
  int shift = 0;  // 0: none
  int offset = 0;
  bool is_signed = false;
  bool relu = false;

  ScaleWord() = default;
  explicit ScaleWord(uint64_t word)
      : scale(float_of_bits(uint32_t(word))),
        shift(word >> 36 & 1 ? shift_of(word) : 0),
        offset(int((word >> 37 & 511) ^ 256) - 256),
        is_signed((word >> 46 & 1) != 0),
        relu((word >> 47 & 1) != 0) {}

  // As Fixpipe reads it.
  static ScaleWord of_fixpipe(uint64_t word) { return ScaleWord(word & ~uint64_t{0x1FFF}); }
  // The word of a scale, an offset from -256 to 255, and whether the result is signed.
  static uint64_t encode(float scale, int offset, bool is_signed) {
    return bits_of_float(scale) | uint64_t(offset & 511) << 37 | uint64_t{is_signed} << 46;
  }
  // Whether or not the shift is enabled.
  static int shift_of(uint64_t word) { return int(word >> 32 & 15) + 1; }
};

// An accumulated integer after the optional shift to 16 bits.
inline int32_t shifted(int32_t x, const ScaleWord& word) {
  if (word.shift == 0) return x;
  return std::clamp(x >> word.shift, -32768, 32767);
}

// x * scale; with ReLU a negative x counts as 0.
inline float scaled(float x, const ScaleWord& word, bool relu) {
  return x * (x < 0 && relu ? 0.0f : word.scale);
}

// Clamped to 9 bits, rounded half to even, moved by the offset and clamped to 8 bits. NaN is 0.
inline uint8_t to_8_bits(float f, const ScaleWord& word) {
  const float clamped = f != f ? 0.0f : std::clamp(f, -256.0f, 255.0f);
  const int moved = int(std::nearbyint(clamped)) + word.offset;
  return uint8_t(word.is_signed ? std::clamp(moved, -128, 127) : std::clamp(moved, 0, 255));
}

}  // namespace vinci
