// Arrays of binary16 to and from float, with the conversion instruction where the host has one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/floats.h"

namespace vinci {

// NaN payloads do not survive: every NaN becomes the canonical one.
inline void floats_of_halves(const uint16_t* in, float* out, size_t count) {
  const size_t whole = count - count % kFloatsAtOnce;
  for (size_t i = 0; i < whole; i += kFloatsAtOnce) {
    store_floats(without_nan(load_halves(in + i), __builtin_nanf("")), out + i);
  }
  for (size_t i = whole; i < count; ++i) out[i] = float_of_half(in[i]);
}

template <bool saturate>
[[gnu::always_inline]] inline void round_to_halves(const float* in, uint16_t* out) {
  store_halves(without_nan(in_half_range<saturate>(load_floats(in)), kNanOfHalf<saturate>), out);
}

template <bool saturate>
inline void halves_of_floats(const float* in, uint16_t* out, size_t count) {
  const size_t whole = count - count % kFloatsAtOnce;
  for (size_t i = 0; i < whole; i += kFloatsAtOnce) {
    round_to_halves<saturate>(in + i, out + i);
  }
  if (whole == count) return;
  float rest[kFloatsAtOnce] = {};
  uint16_t halves[kFloatsAtOnce];
  std::memcpy(rest, in + whole, (count - whole) * sizeof(float));
  round_to_halves<saturate>(rest, halves);
  std::memcpy(out + whole, halves, (count - whole) * sizeof(uint16_t));
}

// Rounds to nearest even; `saturate`: infinities become the largest value and NaN becomes 0.
inline void halves_of_floats(const float* in, uint16_t* out, size_t count, bool saturate) {
  saturate ? halves_of_floats<true>(in, out, count) : halves_of_floats<false>(in, out, count);
}

}  // namespace vinci
