// VINCI_LEVEL: the level's name.
#include "exhaustive/elementary/arrays.h"

#include "numeric/elementary.h"
#include "kernel/half_array.h"
#include "kernel/lane_loop.h"
#include "numeric/trigonometry.h"

namespace vinci::exhaustive {
namespace {

constexpr size_t kPiece = 256;  // halves that are floats at a time

float canonical(float value) { return value != value ? __builtin_nanf("") : value; }

template <float (*kElement)(float)>
void of_floats(const float* in, float* out, size_t count) {
  VINCI_LANE_LOOP
  for (size_t i = 0; i < count; ++i) out[i] = canonical(kElement(in[i]));
}

template <float (*kElement)(float)>
void of_halves(const uint16_t* in, uint16_t* out, size_t count) {
  float wide[kPiece];
  for (size_t at = 0; at < count; at += kPiece) {
    const size_t here = count - at < kPiece ? count - at : kPiece;
    floats_of_halves(in + at, wide, here);
    VINCI_LANE_LOOP
    for (size_t i = 0; i < here; ++i) wide[i] = kElement(wide[i]);
    halves_of_floats(wide, out + at, here, false);
  }
}

void quotients(const float* a, const float* b, float* out, size_t count) {
  VINCI_LANE_LOOP
  for (size_t i = 0; i < count; ++i) out[i] = canonical(a[i] / b[i]);
}

void quotients_of_halves(const uint16_t* a, const uint16_t* b, uint16_t* out, size_t count) {
  float wide_a[kPiece], wide_b[kPiece];
  for (size_t at = 0; at < count; at += kPiece) {
    const size_t here = count - at < kPiece ? count - at : kPiece;
    floats_of_halves(a + at, wide_a, here);
    floats_of_halves(b + at, wide_b, here);
    VINCI_LANE_LOOP
    for (size_t i = 0; i < here; ++i) wide_a[i] = wide_a[i] / wide_b[i];
    halves_of_floats(wide_a, out + at, here, false);
  }
}

}  // namespace

#define VINCI_JOIN(a, b) a##b
#define VINCI_ARRAYS(level) VINCI_JOIN(elementary_arrays_, level)

extern "C" __attribute__((visibility("default")))
const ElementaryArrays VINCI_ARRAYS(VINCI_LEVEL) = {
    {of_floats<exp_of>, of_floats<ln_of>, of_floats<sqrt_of>, of_floats<rsqrt_of>,
     of_floats<reciprocal_of>, of_floats<sin_of>, of_floats<cos_of>},
    {of_halves<exp_of_half>, of_halves<ln_of_half>, of_halves<sqrt_of>, of_halves<rsqrt_of>,
     of_halves<reciprocal_of>, of_halves<sin_of_half>, of_halves<cos_of_half>},
    quotients,
    quotients_of_halves};

}  // namespace vinci::exhaustive
