// The library's functions that work element by element: dst[i] = op(src0[i], src1[i], scalar).
//
// An operation is a struct with one or more of
//   template <class V> static V steps(V a, V b, V scalar)        in the type of the elements: a
//                                                                formula of vector instructions
//   static float number(float a, float b, float scalar)          in float; of halves too, whose
//                                                                result is rounded once more
//   template <class V> static V float_steps(V a, V b, V scalar)  the same, as a formula
//   template <class T> static T integer(T a, T b, T scalar)
// and
//   static constexpr unsigned kSources = 2;                      if not 1
//   static constexpr bool kScalarIsFloat = true;                 if it has not the elements' type
#pragma once

#include <algorithm>

#include "isa/library/frame.h"
#include "isa/library/steps.h"

namespace vinci::library {

template <class Op>
constexpr unsigned sources_of() {
  if constexpr (requires { Op::kSources; }) {
    return Op::kSources;
  } else {
    return 1;
  }
}

template <class Op>
Parts element_parts(const Call& call) {
  Parts parts;
  const char* names[] = {sources_of<Op>() == 2 ? "src0" : "src", "src1"};
  for (unsigned i = 0; i < sources_of<Op>(); ++i) {
    parts.read(names[i], call.src[i], bytes_of(call.src[i].dtype, call.count));
  }
  parts.write("dst", call.dst[0], bytes_of(call.dst[0].dtype, call.count));
  return parts;
}

template <class T>
T from_bits(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}
// Bits of a bfloat16.
struct BrainFloat {
  uint16_t bits;
};
template <class T>
using Element = std::conditional_t<std::is_same_v<T, bfloat16_t>, BrainFloat, vector::Stored<T>>;

inline void load(const BrainFloat* from, unsigned n, float (&to)[kAtOnce]) {
  for (unsigned i = 0; i < kAtOnce; ++i) to[i] = i < n ? float_of_bfloat16(from[i].bits) : 1.0f;
}
inline void store(const float (&from)[kAtOnce], unsigned n, BrainFloat* to, bool saturate) {
  for (unsigned i = 0; i < n; ++i) {
    const uint16_t bits = from[i] != from[i] ? kBfloat16Nan : bfloat16_of_float(from[i]);
    const uint16_t magnitude = bits & 0x7FFF;
    to[i].bits = !saturate || magnitude < 0x7F80 ? bits
                 : magnitude > 0x7F80            ? uint16_t(0)
                                                 : uint16_t(bits - 1);
  }
}

inline float as_float(float value) { return value; }
inline float as_float(BrainFloat value) { return float_of_bfloat16(value.bits); }
inline float as_float(uint16_t half) { return float_of_half(half); }

// V: the type of the steps.
template <class V, class T, class F>
void for_each_chunk(const Call& call, const State& state, Memory& memory, F f) {
  using S = Element<T>;
  const S* a = data_of<S>(memory, call.src[0]);
  const S* b = given(call.src[1]) ? data_of<S>(memory, call.src[1]) : a;
  S* out = data_of<S>(memory, call.dst[0]);
  for (uint64_t i = 0; i < call.count; i += kAtOnce) {
    const auto n = unsigned(std::min<uint64_t>(kAtOnce, call.count - i));
    V x, y;
    load(a + i, n, x.x);
    load(b + i, n, y.x);
    const V result = f(x, y);
    store(result.x, n, out + i, saturates(state));
  }
}

template <class Op, class T>
void run_elements(const Call& call, const State& state, Memory& memory) {
  using S = Element<T>;
  constexpr bool kHalf = std::is_same_v<T, half>;
  if constexpr (std::is_integral_v<T>) {
    const T* a = data_of<T>(memory, call.src[0]);
    const T* b = given(call.src[1]) ? data_of<T>(memory, call.src[1]) : a;
    T* out = data_of<T>(memory, call.dst[0]);
    for (uint64_t i = 0; i < call.count; ++i) {
      out[i] = Op::template integer<T>(a[i], b[i], from_bits<T>(call.scalar));
    }
  } else {
    float scalar = as_float(from_bits<S>(call.scalar));
    if constexpr (requires { Op::kScalarIsFloat; }) scalar = from_bits<float>(call.scalar);
    if constexpr (requires(float x) { Op::number(x, x, x); }) {
      for_each_chunk<FloatSteps, T>(call, state, memory, [=](const auto& a, const auto& b) {
        return FloatSteps::each([&](unsigned i) { return Op::number(a.x[i], b.x[i], scalar); });
      });
    } else if constexpr (requires(FloatSteps x) { Op::float_steps(x, x, x); }) {
      for_each_chunk<FloatSteps, T>(call, state, memory, [=](const auto& a, const auto& b) {
        return Op::float_steps(a, b, FloatSteps(scalar));
      });
    } else {
      const auto run = [&]<class V>() {
        for_each_chunk<V, T>(call, state, memory,
                             [=](const V& a, const V& b) { return Op::steps(a, b, V(scalar)); });
      };
      kHalf&& saturates(state) ? run.template operator()<Steps<kHalf, kHalf>>()
                               : run.template operator()<Steps<kHalf, false>>();
    }
  }
}

template <class Op, const auto& support>
void run_typed(const Call& call, const State& state, Memory& memory) {
  vector::with_type<support>(call.dst[0].dtype,
                             [&]<class T>() { run_elements<Op, T>(call, state, memory); });
}

inline void check_count(const Call& call, Check& check) {
  check.range("calCount", int64_t(call.count), 0, int64_t(UINT32_MAX));
}

// `overlaps`: whether dst may be a source.
template <class Op, const auto& support = kFloats, Overlaps overlaps = Overlaps::kNever>
constexpr Instruction elements(std::string_view mnemonic, std::string_view api) {
  return function<element_parts<Op>, run_typed<Op, support>, check_count, overlaps>(mnemonic, api,
                                                                                    support);
}

}  // namespace vinci::library
