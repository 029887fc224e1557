// From what one element becomes to what arrays become. An operation is a struct:
//
//   struct Sum {
//     static constexpr bool kOverflows = true;   // integers: wraps or clamps, as the chip says
//     template <class T> static T apply(T a, T b) { return T(a + b); }
//   };
//
// Floats come as vectors of eight or sixteen (FloatVector in kernel/floats.h), or one by one to an
// operation that has
//   static float apply(float x);           // of floats
//   static float apply_to_half(float x);   // of a half: what it returns is rounded to half
// whose loop the compiler makes vectors of, unless it says
//   static constexpr bool kBranches = true;
// half is computed in float and rounded once, which is exact for one operation (float has more than
// twice the digits). Results of half saturate where the core's mode says so (docs/spec/vector.md),
// those of integers wrap, or clamp where an operation overflows and the mode says so; NaN is the
// canonical one.
//
// Arrays hold elements without gaps at any alignment. An input may be the output, and else is apart
// from it.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "isa/family/types.h"
#include "isa/family/walk.h"
#include "kernel/floats.h"
#include "kernel/half_array.h"
#include "kernel/lane_loop.h"

namespace vinci::vector {

// What the second argument of an operation is: nothing, src1, or the record's scalar.
enum class Second : uint8_t { kNone, kSource, kScalar };

// How the elements of a type lie in memory: halves as their bits.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, half>, uint16_t, T>;

// The low bits of a record's scalar.
template <class S>
S scalar_of(uint64_t bits) {
  S value;
  std::memcpy(&value, &bits, sizeof(S));
  return value;
}

template <class Op, Second second, class T>
T apply(T a, [[maybe_unused]] T b) {
  if constexpr (second == Second::kNone) {
    return Op::apply(a);
  } else {
    return Op::apply(a, b);
  }
}

template <FloatVector F = Floats>
[[gnu::always_inline]] inline F load(const float* from) {
  return load_floats<F>(from);
}
template <FloatVector F = Floats>
[[gnu::always_inline]] inline F load(const uint16_t* from) {
  return load_halves<F>(from);
}
template <FloatVector F>
[[gnu::always_inline]] inline void store(F x, float* to) {
  store_floats(x, to);
}
template <FloatVector F>
[[gnu::always_inline]] inline void store(F x, uint16_t* to) {
  store_halves(x, to);
}

// Elements behind the last whole vectors.
template <class T, unsigned count>
struct Rest {
  T elements[count] = {};
};

// Stores compute(in...), with `nan` instead of NaN, for two vectors of lanes after the other, the
// last fewer in arrays of that size. NaN is looked for at the end, as there seldom is one, in two
// sums that do not wait for each other; inlined, so that repeats share what does not change.
template <class Out, class Compute, class... In>
[[gnu::always_inline]] inline void in_vectors(Out* out, size_t count, float nan, Compute compute,
                                              const In*... in) {
  using F = decltype(compute(in...));
  constexpr size_t kAtOnce = kFloatsIn<F>, kLanes = 2 * kAtOnce;
  F found[2] = {};
  const auto step = [&](Out* to, F& sum, const In*... from) {
    const F x = compute(from...);
    const F y = compute((from + kAtOnce)...);
    sum = sum_with_nan(sum, x, y);
    store(x, to);
    store(y, to + kAtOnce);
  };
  const auto mend = [&](Out* to) { store(without_nan(load<F>(to), nan), to); };
  const size_t whole = count - count % kLanes;
  size_t done = 0;
  for (; done + 2 * kLanes <= whole; done += 2 * kLanes) {
    step(out + done, found[0], (in + done)...);
    step(out + done + kLanes, found[1], (in + done + kLanes)...);
  }
  if (done < whole) step(out + done, found[0], (in + done)...);
  if (any_nan(found[0], found[1])) [[unlikely]] {
    for (size_t i = 0; i < whole; i += kAtOnce) mend(out + i);
  }
  if (whole == count) return;
  Rest<Out, kLanes> rest;
  const auto last = [&](Rest<In, kLanes>... from) {
    (std::memcpy(from.elements, in + whole, (count - whole) * sizeof(In)), ...);
    step(rest.elements, found[0], from.elements...);
  };
  last(Rest<In, kLanes>()...);
  mend(rest.elements);
  mend(rest.elements + kAtOnce);
  std::memcpy(out + whole, rest.elements, (count - whole) * sizeof(Out));
}

template <class Op>
concept OneByOne = requires(float x) {
  Op::apply_to_half(x);
};

// Calls f(i) for each of `count` lanes, in any order and several at once.
template <OneByOne Op, class F>
[[gnu::always_inline]] inline void for_each_lane(size_t count, F f) {
  if constexpr (requires { Op::kBranches; }) {
    for (size_t i = 0; i < count; ++i) f(i);
  } else {
    VINCI_LANE_LOOP
    for (size_t i = 0; i < count; ++i) f(i);
  }
}

template <OneByOne Op, Second>
void run(const float* a, const float*, float, float* out, size_t count, bool) {
  for_each_lane<Op>(count, [=](size_t i) {
    const float result = Op::apply(a[i]);
    out[i] = result != result ? __builtin_nanf("") : result;
  });
}

template <OneByOne Op, Second>
void run(const uint16_t* a, const uint16_t*, uint16_t, uint16_t* out, size_t count, bool saturate) {
  constexpr size_t kChunk = 128;
  alignas(64) float wide[kChunk];
  for (size_t first = 0; first < count; first += kChunk) {
    const size_t n = std::min(kChunk, count - first);
    floats_of_halves(a + first, wide, n);
    for_each_lane<Op>(n, [&](size_t i) { wide[i] = Op::apply_to_half(wide[i]); });
    halves_of_floats(wide, out + first, n, saturate);
  }
}

template <class Op, Second second>
void run(const float* a, const float* b, float scalar, float* out, size_t count, bool) {
  const Floats all = all_of(scalar);
  in_vectors(
      out, count, __builtin_nanf(""),
      [&](const float* x, const float* y) {
        return apply<Op, second>(load(x), second == Second::kSource ? load(y) : all);
      },
      a, second == Second::kSource ? b : a);
}

template <class Op, Second second, bool saturate>
[[gnu::always_inline]] inline void run_halves(const uint16_t* a, const uint16_t* b,
                                              WideFloats scalar, uint16_t* out, size_t count) {
  in_vectors(
      out, count, kNanOfHalf<saturate>,
      [&](const uint16_t* x, const uint16_t* y) {
        const WideFloats other = second == Second::kSource ? load<WideFloats>(y) : scalar;
        return in_half_range<saturate>(apply<Op, second>(load<WideFloats>(x), other));
      },
      a, second == Second::kSource ? b : a);
}

// Holds sums, differences and products of two T, of uint32_t no differences: they are not below 0.
template <class T>
using WideOf =
    std::conditional_t<std::is_same_v<T, int16_t>, int32_t,
                       std::conditional_t<std::is_same_v<T, uint32_t>, uint64_t, int64_t>>;

// Integers that may overflow: computed in a wider type and clamped.
template <class Op, Second second, class T>
void run_clamped(const T* a, const T* b, T scalar, T* out, size_t count) {
  using Wide = WideOf<T>;
  constexpr Wide kLeast = std::numeric_limits<T>::min(), kMost = std::numeric_limits<T>::max();
  VINCI_LANE_LOOP
  for (size_t i = 0; i < count; ++i) {
    const Wide wide = second == Second::kSource ? Op::apply(Wide(a[i]), Wide(b[i]))
                                                : Op::apply(Wide(a[i]), Wide(scalar));
    out[i] = T(wide < kLeast ? kLeast : wide > kMost ? kMost : wide);
  }
}

// The same, clamped or modulo 2^width.
template <class Op, Second second, class T>
void run_overflowing(const T* a, const T* b, T scalar, T* out, size_t count, bool clamp) {
  static_assert(sizeof(T) <= sizeof(uint32_t));
  using Bits = std::make_unsigned_t<T>;
  if (clamp) return run_clamped<Op, second>(a, b, scalar, out, count);
  VINCI_LANE_LOOP
  for (size_t i = 0; i < count; ++i) {
    const Bits other = second == Second::kSource ? Bits(b[i]) : Bits(scalar);
    out[i] = T(Op::apply(uint32_t(Bits(a[i])), uint32_t(other)));
  }
}

template <class Op, Second second, bool saturate>
void run_half_rows(uint16_t scalar, const LaneRows& rows) {
  const auto all = all_of<WideFloats>(float_of_half(scalar));
  rows.for_each([&](const LaneArrays& arrays) {
    run_halves<Op, second, saturate>(reinterpret_cast<const uint16_t*>(arrays.src[0]),
                                     reinterpret_cast<const uint16_t*>(arrays.src[1]), all,
                                     reinterpret_cast<uint16_t*>(arrays.dst), arrays.count);
  });
}

template <class Op, Second second, class T>
void run_rows(const ElementwiseRecord& record, const State& state, const LaneRows& rows) {
  using S = Stored<T>;
  const S scalar = scalar_of<S>(record.scalar);
  const OverflowModes& modes = state.registers.overflow;
  rows.for_each([&](const LaneArrays& arrays) {
    const auto* a = reinterpret_cast<const S*>(arrays.src[0]);
    const auto* b = reinterpret_cast<const S*>(arrays.src[1]);
    auto* out = reinterpret_cast<S*>(arrays.dst);
    if constexpr (std::is_same_v<T, float> || OneByOne<Op>) {
      run<Op, second>(a, b, scalar, out, arrays.count, modes.floats_saturate);
    } else if constexpr (requires { Op::kOverflows; }) {
      run_overflowing<Op, second>(a, b, scalar, out, arrays.count, modes.integers_clamp);
    } else {
      VINCI_LANE_LOOP
      for (size_t i = 0; i < arrays.count; ++i) {
        out[i] = apply<Op, second>(a[i], second == Second::kSource ? b[i] : scalar);
      }
    }
  });
}

template <class Op, Second second, class T>
void run_type(const ElementwiseRecord& record, const State& state, const LaneRows& rows) {
  if constexpr (std::is_same_v<T, half> && !OneByOne<Op>) {
    const auto scalar = uint16_t(record.scalar);
    state.registers.overflow.floats_saturate ? run_half_rows<Op, second, true>(scalar, rows)
                                             : run_half_rows<Op, second, false>(scalar, rows);
  } else {
    run_rows<Op, second, T>(record, state, rows);
  }
}

// The operation on the record's type, which is one of those that the table names.
template <class Op, Second second, const auto& table>
void operate(const ElementwiseRecord& record, const State& state, const LaneRows& rows) {
  with_type<table>(record.dst.dtype,
                   [&]<class T>() { run_type<Op, second, T>(record, state, rows); });
}

}  // namespace vinci::vector
