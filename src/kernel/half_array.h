// Arrays of binary16 to and from float, with the conversion instruction where the host has one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/floats.h"

namespace vinci {

// As many of `count` halves as fill vectors F, from number `done` on. Returns how many are done.
template <FloatVector F>
inline size_t widen_halves(const uint16_t* in, float* out, size_t done, size_t count) {
  for (; done + kFloatsIn<F> <= count; done += kFloatsIn<F>) {
    store_floats(without_nan(load_halves<F>(in + done), __builtin_nanf("")), out + done);
  }
  return done;
}
// NaN payloads do not survive: every NaN becomes the canonical one.
inline void floats_of_halves(const uint16_t* in, float* out, size_t count) {
  size_t done = widen_halves<WideFloats>(in, out, 0, count);
  done = widen_halves<Floats>(in, out, done, count);
  for (; done < count; ++done) out[done] = float_of_half(in[done]);
}

template <FloatVector F, bool saturate>
[[gnu::always_inline]] inline void round_to_halves(const float* in, uint16_t* out) {
  store_halves(without_nan(in_half_range<saturate>(load_floats<F>(in)), kNanOfHalf<saturate>), out);
}

template <bool saturate>
inline void halves_of_floats(const float* in, uint16_t* out, size_t count) {
  constexpr size_t kAtOnce = kFloatsIn<WideFloats>;
  const size_t whole = count - count % kAtOnce;
  for (size_t i = 0; i < whole; i += kAtOnce) {
    round_to_halves<WideFloats, saturate>(in + i, out + i);
  }
  if (whole == count) return;
  float rest[kAtOnce] = {};
  uint16_t halves[kAtOnce];
  std::memcpy(rest, in + whole, (count - whole) * sizeof(float));
  round_to_halves<WideFloats, saturate>(rest, halves);
  std::memcpy(out + whole, halves, (count - whole) * sizeof(uint16_t));
}

// Rounds to nearest even; `saturate`: infinities become the largest value and NaN becomes 0.
inline void halves_of_floats(const float* in, uint16_t* out, size_t count, bool saturate) {
  saturate ? halves_of_floats<true>(in, out, count) : halves_of_floats<false>(in, out, count);
}

}  // namespace vinci
