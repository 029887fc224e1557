// A product and a sum, rounded one after the other: a[i] * b[i] + c[i].
#pragma once

#include "isa/family/arithmetic.h"

namespace vinci::vector {

// What NaN becomes in elements that are stored as `To`: uint16_t are halves.
template <class To, bool saturate>
inline constexpr float kNanOf = std::is_same_v<To, float> ? __builtin_nanf("")
                                                          : kNanOfHalf<saturate>;

// The product as a `To` holds it. Products of halves are exact in float.
template <class To, bool saturate>
[[gnu::always_inline]] inline Floats product(Floats a, Floats b) {
  const Floats exact = a * b;
  if constexpr (std::is_same_v<To, float>) {
    return exact;
  } else {
    uint16_t rounded[kFloatsAtOnce];
    store(without_nan(in_half_range<saturate>(exact), kNanOfHalf<saturate>), rounded);
    return load(rounded);
  }
}

// The sum, before it is rounded to a `To`.
template <class To, bool saturate>
[[gnu::always_inline]] inline Floats sum(Floats a, Floats b) {
  if constexpr (std::is_same_v<To, float>) {
    return a + b;
  } else {
    return in_half_range<saturate>(a + b);
  }
}

// How the sources of such an instruction take part: src[0] * src[factor] + src[addend], where
// src[2] is what dst held before.
struct Roles {
  unsigned factor, addend;  // 1 or 2
  bool relu = false;        // results below 0 become +0
};

template <Roles roles, class To, class From, bool saturate>
void multiply_add(const LaneArrays& arrays) {
  using B = std::conditional_t<roles.factor == 2, To, From>;
  using C = std::conditional_t<roles.addend == 2, To, From>;
  in_vectors(
      reinterpret_cast<To*>(arrays.dst), arrays.count, kNanOf<To, saturate>,
      [](const From* a, const B* b, const C* c) {
        const Floats result = sum<To, saturate>(product<To, saturate>(load(a), load(b)), load(c));
        return roles.relu ? Positive::apply(result) : result;
      },
      reinterpret_cast<const From*>(arrays.src[0]),
      reinterpret_cast<const B*>(arrays.src[roles.factor]),
      reinterpret_cast<const C*>(arrays.src[roles.addend]));
}

// Integers: both steps wrap around or clamp.
template <Roles roles, class T>
void multiply_add_integers(const LaneArrays& arrays, bool clamp) {
  const auto source = [&](unsigned i) { return reinterpret_cast<const T*>(arrays.src[i]); };
  T products[kMostLanes];
  for (size_t first = 0; first < arrays.count; first += kMostLanes) {
    const size_t n = std::min<size_t>(kMostLanes, arrays.count - first);
    run_overflowing<Product, Second::kSource>(source(0) + first, source(roles.factor) + first, T(0),
                                              products, n, clamp);
    run_overflowing<Sum, Second::kSource>(products, source(roles.addend) + first, T(0),
                                          reinterpret_cast<T*>(arrays.dst) + first, n, clamp);
  }
}

template <Roles roles, class To, class From>
void multiply_add_arrays(const OverflowModes& modes, const LaneArrays& arrays) {
  if constexpr (std::is_integral_v<To>) {
    static_assert(std::is_same_v<To, From>);
    multiply_add_integers<roles, To>(arrays, modes.integers_clamp);
  } else if constexpr (std::is_same_v<To, float>) {
    multiply_add<roles, float, Stored<From>, false>(arrays);
  } else {
    static_assert(std::is_same_v<To, half> && std::is_same_v<From, half>);
    modes.floats_saturate ? multiply_add<roles, uint16_t, uint16_t, true>(arrays)
                          : multiply_add<roles, uint16_t, uint16_t, false>(arrays);
  }
}

// Halves may go into floats.
inline constexpr Signature kMixed[] = {DType::kHalf, DType::kFloat, {DType::kFloat, DType::kHalf}};

// The operands, and dst as one source more, the last.
inline View view_with_dst(const ElementwiseRecord& record) {
  View view = view_of(record);
  view.src[view.sources++] = view.dst;
  return view;
}

template <Roles roles, const auto& support>
void multiply_add_rows(const ElementwiseRecord& record, const State& state, const LaneRows& rows) {
  with_types<support>(record, [&]<class To, class From>() {
    rows.for_each([&](const LaneArrays& arrays) {
      multiply_add_arrays<roles, To, From>(state.registers.overflow, arrays);
    });
  });
}

template <Roles roles, const auto& support>
constexpr Instruction multiply_add_instruction(std::string_view mnemonic, std::string_view api) {
  return elementwise_instruction<ElementwiseRecord, 2, multiply_add_rows<roles, support>,
                                 no_rules<ElementwiseRecord>, view_with_dst>(mnemonic, api,
                                                                             support);
}

// Where FusedMulAdd and FusedMulAddRelu are: TIK has them on the older chips too.
inline constexpr Support kFusedSupport[] = {{kNewer, kFloats}, {kOlder, kFloats, true, kTik}};

}  // namespace vinci::vector
