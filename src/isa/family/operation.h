// From what one element becomes to what arrays become. An operation is a struct:
//
//   struct Sum {
//     static constexpr bool kOverflows = true;   // integers: wraps or clamps, as the chip says
//     template <class T> static T apply(T a, T b) { return T(a + b); }
//   };
//
// half is computed in float and rounded once, which is exact for one operation (float has more than
// twice the digits); results saturate where the core's mode says so, and NaN is the canonical one.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "isa/family/walk.h"
#include "numeric/half_array.h"
#include "numeric/lane_loop.h"

namespace vinci::vector {

// What the second argument of an operation is.
enum class Second : uint8_t { kNone, kSource, kScalar };

// How the elements of a type lie in memory.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, half>, uint16_t, T>;

template <class S>
S scalar_of(uint64_t bits) {
  S value;
  std::memcpy(&value, &bits, sizeof(S));
  return value;
}

template <class Op, Second second, class T>
inline T apply(const T* a, [[maybe_unused]] const T* b, [[maybe_unused]] T scalar, size_t i) {
  if constexpr (second == Second::kNone) return Op::apply(a[i]);
  if constexpr (second == Second::kSource) return Op::apply(a[i], b[i]);
  if constexpr (second == Second::kScalar) return Op::apply(a[i], scalar);
}

inline float canonical(float value) { return value != value ? __builtin_nanf("") : value; }

template <class Op, Second second>
void run(const float* a, const float* b, float scalar, float* out, size_t count) {
  VINCI_LANE_LOOP
  for (size_t i = 0; i < count; ++i) out[i] = canonical(apply<Op, second>(a, b, scalar, i));
}

template <class Op, Second second>
void run_halves(const uint16_t* a, const uint16_t* b, uint16_t scalar, uint16_t* out, size_t count,
                bool saturate) {
  constexpr size_t kChunk = 128;
  alignas(64) float wide_a[kChunk], wide_b[kChunk], result[kChunk];
  const float wide_scalar = float_of_half(scalar);
  for (size_t first = 0; first < count; first += kChunk) {
    const size_t n = std::min(kChunk, count - first);
    floats_of_halves(a + first, wide_a, n);
    if constexpr (second == Second::kSource) floats_of_halves(b + first, wide_b, n);
    VINCI_LANE_LOOP
    for (size_t i = 0; i < n; ++i) result[i] = apply<Op, second>(wide_a, wide_b, wide_scalar, i);
    halves_of_floats(result, out + first, n, saturate);
  }
}

// Integers that may overflow: computed modulo 2^width, or in a wider type and clamped.
template <class Op, Second second, class T>
void run_overflowing(const T* a, const T* b, T scalar, T* out, size_t count, bool clamp) {
  using Bits = std::make_unsigned_t<T>;
  using Wide = std::conditional_t<sizeof(T) == 2, int32_t, int64_t>;
  if (clamp) {
    VINCI_LANE_LOOP
    for (size_t i = 0; i < count; ++i) {
      const Wide wide = second == Second::kSource ? Op::apply(Wide(a[i]), Wide(b[i]))
                                                  : Op::apply(Wide(a[i]), Wide(scalar));
      constexpr Wide kLeast = std::numeric_limits<T>::min(), kMost = std::numeric_limits<T>::max();
      out[i] = T(wide < kLeast ? kLeast : wide > kMost ? kMost : wide);
    }
    return;
  }
  VINCI_LANE_LOOP
  for (size_t i = 0; i < count; ++i) {
    const Bits other = second == Second::kSource ? Bits(b[i]) : Bits(scalar);
    out[i] = T(Op::apply(uint32_t(Bits(a[i])), uint32_t(other)));
  }
}

template <class Op, Second second, class T>
void run_as(const ElementwiseRecord& record, const Core& core, const LaneArrays& arrays) {
  using S = Stored<T>;
  const auto* a = reinterpret_cast<const S*>(arrays.src[0]);
  const auto* b = reinterpret_cast<const S*>(arrays.src[1]);
  auto* out = reinterpret_cast<S*>(arrays.dst);
  const S scalar = scalar_of<S>(record.scalar);
  const OverflowModes& modes = core.registers().overflow;
  if constexpr (std::is_same_v<T, half>) {
    run_halves<Op, second>(a, b, scalar, out, arrays.count, modes.floats_saturate);
  } else if constexpr (std::is_same_v<T, float>) {
    run<Op, second>(a, b, scalar, out, arrays.count);
  } else if constexpr (requires { Op::kOverflows; }) {
    run_overflowing<Op, second>(a, b, scalar, out, arrays.count, modes.integers_clamp);
  } else {
    VINCI_LANE_LOOP
    for (size_t i = 0; i < arrays.count; ++i) out[i] = apply<Op, second>(a, b, scalar, i);
  }
}

// The operation on the record's type, which is one of Ts.
template <class Op, Second second, class... Ts>
void operate(const ElementwiseRecord& record, const Core& core, const LaneArrays& arrays) {
  (void)(... || (record.dst.dtype == dtype_of<Ts> &&
                 (run_as<Op, second, Ts>(record, core, arrays), true)));
}

}  // namespace vinci::vector
