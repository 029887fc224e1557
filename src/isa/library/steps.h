// Sixty-four numbers at once, and the vector instructions as operators on them: a formula written
// with them gives the bits that these instructions give one after the other, each result rounded to
// the type.
//
//   1.0f / (1.0f + exp(x * -1.0f))
#pragma once

#include <cstdint>

#include "kernel/half_array.h"
#include "kernel/lane_loop.h"
#include "numeric/elementary.h"
#include "vinci/dtype.h"

namespace vinci::library {

inline constexpr unsigned kAtOnce = 64;

// kHalf: rounded to half after each step, saturating or not; else floats.
template <bool kHalf, bool kSaturate>
struct Steps {
  alignas(64) float x[kAtOnce];

  Steps() = default;
  // All of them one number, rounded to the type.
  Steps(float number) {  // NOLINT(google-explicit-constructor)
    if constexpr (kHalf) number = float_of_half(half_of_float(number));
    for (float& lane : x) lane = number;
  }
  Steps rounded() const {
    if constexpr (!kHalf) return *this;
    Steps result;
    alignas(64) uint16_t halves[kAtOnce];
    halves_of_floats<kSaturate>(x, halves, kAtOnce);
    floats_of_halves(halves, result.x, kAtOnce);
    return result;
  }
  template <class F>
  static Steps each(F f) {
    Steps result;
    VINCI_LANE_LOOP
    for (unsigned i = 0; i < kAtOnce; ++i) result.x[i] = f(i);
    return result.rounded();
  }

  friend Steps operator+(const Steps& a, const Steps& b) {
    return each([&](unsigned i) { return a.x[i] + b.x[i]; });
  }
  friend Steps operator-(const Steps& a, const Steps& b) {
    return each([&](unsigned i) { return a.x[i] - b.x[i]; });
  }
  friend Steps operator*(const Steps& a, const Steps& b) {
    return each([&](unsigned i) { return a.x[i] * b.x[i]; });
  }
  friend Steps operator/(const Steps& a, const Steps& b) {
    return each([&](unsigned i) { return a.x[i] / b.x[i]; });
  }
  friend Steps exp(const Steps& a) {
    return each([&](unsigned i) { return kHalf ? exp_of_half(a.x[i]) : exp_of(a.x[i]); });
  }
  friend Steps ln(const Steps& a) {
    return each([&](unsigned i) { return kHalf ? ln_of_half(a.x[i]) : ln_of(a.x[i]); });
  }
  friend Steps sqrt(const Steps& a) {
    return each([&](unsigned i) { return sqrt_of(a.x[i]); });
  }
  friend Steps abs(const Steps& a) {
    return each([&](unsigned i) { return float_of_bits(bits_of_float(a.x[i]) & 0x7FFFFFFF); });
  }
  // NaN if one of them is.
  friend Steps max(const Steps& a, const Steps& b) {
    return each([&](unsigned i) {
      return a.x[i] != a.x[i] ? a.x[i] : a.x[i] > b.x[i] ? a.x[i] : b.x[i];
    });
  }
  friend Steps min(const Steps& a, const Steps& b) {
    return each([&](unsigned i) {
      return a.x[i] != a.x[i] ? a.x[i] : a.x[i] < b.x[i] ? a.x[i] : b.x[i];
    });
  }
};

using FloatSteps = Steps<false, false>;

// The first n of an array, and back; the others are 1.
inline void load(const float* from, unsigned n, float (&to)[kAtOnce]) {
  for (unsigned i = n; i < kAtOnce; ++i) to[i] = 1.0f;
  std::memcpy(to, from, n * sizeof(float));
}
inline void load(const uint16_t* from, unsigned n, float (&to)[kAtOnce]) {
  for (unsigned i = n; i < kAtOnce; ++i) to[i] = 1.0f;
  floats_of_halves(from, to, n);
}
inline void store(const float (&from)[kAtOnce], unsigned n, float* to, bool) {
  VINCI_LANE_LOOP
  for (unsigned i = 0; i < n; ++i) to[i] = from[i] != from[i] ? __builtin_nanf("") : from[i];
}
inline void store(const float (&from)[kAtOnce], unsigned n, uint16_t* to, bool saturate) {
  halves_of_floats(from, to, n, saturate);
}

}  // namespace vinci::library
