// Steps of conversions from floats, and from halfs and bfloat16s as floats. All hold for every
// input, and in every round mode: tests/unit/convert_array_test.cpp, docs/guide/exhaustive.md.
#pragma once

#include "numeric/convert.h"
#include "kernel/convert_vector.h"

#if defined(VINCI_CONVERT_VECTORS)
namespace vinci {

inline Floats with_one_nan(Floats x) { return without_nan(x, float_of_bits(kFloatNan)); }

// ---- What needs no care ----

// The largest magnitude, as a pattern of From, that neither leaves the range of To nor is NaN, nor
// is an infinity that becomes something else. Narrow integers are rounded to int32 first.
template <class To, class From>
constexpr int32_t largest_ordinary() {
  if constexpr (std::is_same_v<To, float>) return Format<From>::kInfinity;
  if constexpr (std::is_same_v<From, half>) return Format<half>::kMost;
  if constexpr (std::is_same_v<To, bfloat16_t>) return Format<To>::kMost << 16;
  constexpr int32_t kBeyond = std::is_same_v<To, int64_t> ? 0x5F000000 : 0x4F000000;  // 2^63, 2^31
  return std::is_same_v<From, bfloat16_t> ? (kBeyond >> 16) - 1 : kBeyond - 1;
}

// Whether none of 16 or 32 elements needs care.
template <class To, class From, size_t kCount>
bool all_ordinary(const LaneOf<From>* in) {
  constexpr int32_t kLargest = largest_ordinary<To, From>();
  if constexpr (sizeof(*in) == 4) {
    return !any_above(load<Ints>(in), load<Ints>(in + 8), kLargest);
  } else {
    return !any_above(load<Shorts>(in), load<Shorts>(in + kCount - 16), int16_t(kLargest));
  }
}

// ---- To an integer ----

template <Round mode>
Floats to_integer(Floats x) {
  if constexpr (mode == Round::kRound) {
    // Just below a half: the sum is rounded up to the next integer from a tie on, not before it.
    const Ints nearly_half = Ints(all_of(0x1.fffffep-2f)) | (Ints(x) & INT32_MIN);
    return to_integer_by_host<Round::kTrunc>(x + Floats(nearly_half));
  } else if constexpr (mode == Round::kOdd) {
    const Floats below = to_integer_by_host<Round::kFloor>(x);
    return below < x ? nearest_floats(truncated_ints(below) | 1) : below;
  } else {
    return to_integer_by_host<mode>(x);
  }
}

// Out of range and NaN: INT32_MIN. kHalf: x is the value of a half.
template <Round mode, bool kHalf>
Ints to_int32(Floats x) {
  if constexpr (mode == Round::kTrunc) {
    return truncated_ints(x);
  } else if constexpr (mode == Round::kOdd) {
    const Floats below = to_integer_by_host<Round::kFloor>(x);
    return truncated_ints(below) | ((below < x) & 1);
  } else if constexpr (mode == Round::kRound && kHalf) {
    // With its last bit set, a tie is past the middle, and nothing else gets there.
    return nearest_ints(Floats(Ints(x) | 1));
  } else if constexpr (mode == Round::kNone || mode == Round::kRint) {
    return nearest_ints(x);
  } else {
    return truncated_ints(to_integer<mode>(x));
  }
}

// The same modulo `count`, a power of two, at most count / 2 from zero. What has a fraction must be
// in that range, and stays. An infinity becomes NaN.
inline Floats reduced(Floats x, float count) {
  // The quotient of a small x would be subnormal, which is slow.
  const Floats large = masked(x, (Ints(x) & INT32_MAX) >= int32_t(bits_of_float(count / 4)));
  return x - to_integer_by_host<Round::kRint>(large * (1 / count)) * count;
}

template <Round mode, Overflow overflow, bool kHalf>
Ints to_int32_with_care(Floats x) {
  Ints result;
  if constexpr (overflow == Overflow::kSaturate) {
    result = to_int32<mode, kHalf>(x) ^ (x >= 0x1p31f);  // INT32_MIN becomes INT32_MAX
  } else {
    result = to_int32<mode, kHalf>(reduced(x, 0x1p32f)) ^ (x == __builtin_inff());
  }
  return result & (x == x);
}

// Integers of at most 2^63, of which 2^63 becomes INT64_MIN.
inline void store_int64(Floats x, Ints flipped, int64_t* out) {
  const Floats high = to_integer_by_host<Round::kRint>(x * 0x1p-32f);
  const Floats low = x - high * 0x1p32f;  // exact, from -2^31 to 2^31; the latter wraps
  const Ints borrow = Ints(low) >> 31;
  store_joined(nearest_ints(low) ^ flipped, (nearest_ints(high) + borrow) ^ flipped, out);
}

template <Round mode>
void to_int64(Floats x, int64_t* out) {
  store_int64(to_integer<mode>(x), Ints{}, out);
}

template <Round mode, Overflow overflow>
void to_int64_with_care(Floats x, int64_t* out) {
  Floats whole = to_integer<mode>(masked(x, x == x));
  Ints above;
  if constexpr (overflow == Overflow::kSaturate) {
    above = x >= 0x1p63f;
  } else {
    whole = reduced(whole, 0x1p64f);
    above = x == __builtin_inff();
  }
  store_int64(at_least(at_most(whole, 0x1p63f), -0x1p63f), above, out);
}

// int16 from any 32-bit integers.
template <Overflow overflow>
Shorts to_int16(Ints low, Ints high) {
  return overflow == Overflow::kSaturate ? saturated(low, high) : wrapped(low, high);
}

// int8, uint8 or int4: 32 from any integers.
template <class To, Overflow overflow, class... Integers>
void store_bytes(void* out, const Integers&... integers) {
  constexpr bool kSaturate = overflow == Overflow::kSaturate;
  const Bytes bytes = !kSaturate                    ? wrapped(integers...)
                      : std::is_same_v<To, uint8_t> ? saturated_unsigned(integers...)
                                                    : saturated(integers...);
  if constexpr (!std::is_same_v<To, AscendC::int4b_t>) {
    store(bytes, out);
  } else if constexpr (kSaturate) {
    const __m256i most = _mm256_min_epi8(__m256i(bytes), _mm256_set1_epi8(7));
    store(joined_nibbles(Bytes(_mm256_max_epi8(most, _mm256_set1_epi8(-8)))), out);
  } else {
    store(joined_nibbles(bytes), out);
  }
}

// ---- To a shorter float ----

// What is past `most` rounds as far as `most` in every mode.
template <Overflow overflow>
Floats in_range(Floats x, float most) {
  if constexpr (overflow == Overflow::kWrapOrInf) return with_one_nan(x);
  return at_least(at_most(masked(x, x == x), most), -most);
}

// Eight halves. NaN keeps its sign and payload.
template <Round mode>
__m128i to_half(Floats x) {
  if constexpr (mode == Round::kRound) {
    // As in to_int32(): the last bit of a float is always cut off.
    return to_half_by_host<Round::kRint>(Floats(Ints(x) | 1));
  } else if constexpr (mode == Round::kOdd) {
    const __m128i cut = to_half_by_host<Round::kTrunc>(x);
    const Ints inexact = Ints(_mm256_cmp_ps(x, _mm256_cvtph_ps(cut), _CMP_NEQ_OQ));
    const __m128i last = _mm_packs_epi32(quarter<0>(inexact), quarter<1>(inexact));
    return _mm_or_si128(cut, _mm_and_si128(last, _mm_set1_epi16(1)));
  } else {
    return to_half_by_host<mode>(x);
  }
}

template <Round mode, Overflow overflow>
__m128i to_half_with_care(Floats x) {
  const Floats kept = in_range<overflow>(x, 65504.0f);
  if constexpr (mode == Round::kRound && overflow == Overflow::kWrapOrInf) {
    // Infinity would become NaN, so it goes by way of the largest float; NaN has its last bit set.
    const Floats finite = at_least(at_most(kept, 0x1.fffffep127f), -0x1.fffffep127f);
    return to_half<mode>(kept == kept ? finite : kept);
  }
  return to_half<mode>(kept);
}

// In the lower 16 bits of each, from floats whose NaNs end in 16 zeros.
template <Round mode>
Ints to_bfloat16(Floats x) {
  const Words bits = Words(x);
  const Words negative = Words(Ints(x) >> 31);
  if constexpr (mode == Round::kFloor) return Ints((bits + (negative & 0xFFFF)) >> 16);
  if constexpr (mode == Round::kCeil) return Ints((bits + (~negative & 0xFFFF)) >> 16);
  if constexpr (mode == Round::kRound) return Ints((bits + 0x8000) >> 16);
  if constexpr (mode == Round::kTrunc) return Ints(bits >> 16);
  if constexpr (mode == Round::kOdd) return Ints((bits | ((bits & 0xFFFF) + 0xFFFF)) >> 16);
  return Ints((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

// ---- Eight elements ----

template <class From>
Floats load_floats(const LaneOf<From>* in) {
  if constexpr (std::is_same_v<From, half>) return load_halves(in);
  if constexpr (std::is_same_v<From, bfloat16_t>) return Floats(load_ints(in) << 16);
  if constexpr (std::is_same_v<From, float>) return load<Floats>(in);
}

// kCare: any of them may need it.
template <class From, Round mode, Overflow overflow, bool kCare>
struct FromFloats {
  static constexpr bool kHalf = std::is_same_v<From, half>;

  static void store_as(int64_t*, Floats x, int64_t* out) {
    if constexpr (kCare) {
      to_int64_with_care<mode, overflow>(x, out);
    } else {
      to_int64<mode>(x, out);
    }
  }
  static void store_as(int32_t*, Floats x, int32_t* out) { store(ints(x), out); }
  static void store_as(float*, Floats x, float* out) {
    if constexpr (std::is_same_v<From, float>) {
      x = to_integer<mode>(x) + Floats{};  // -0 + 0 is +0
    }
    store(kCare ? with_one_nan(x) : x, out);
  }

  static Ints ints(Floats x) {
    if constexpr (kCare) return to_int32_with_care<mode, overflow, kHalf>(x);
    return to_int32<mode, kHalf>(x);
  }
  static Ints ints(const LaneOf<From>* in) { return ints(load_floats<From>(in)); }
  static Ints bfloat16s(const float* in) {
    const Floats x = load<Floats>(in);
    return to_bfloat16<mode>(kCare ? in_range<overflow>(x, 0x1.fep127f) : x);
  }
};

// ---- Sixteen elements, or 32 to a byte each or less and from float to half ----

template <class To, class From, Round mode, Overflow overflow, bool kCare>
void step_from_floats(const LaneOf<From>* in, void* out) {
  using From8 = FromFloats<From, mode, overflow, kCare>;
  if constexpr (std::is_same_v<To, bfloat16_t>) {
    store(saturated_unsigned(From8::bfloat16s(in), From8::bfloat16s(in + 8)), out);
  } else if constexpr (std::is_same_v<To, int16_t>) {
    store(to_int16<overflow>(From8::ints(in), From8::ints(in + 8)), out);
  } else if constexpr (sizeof(LaneOf<To>) == 1) {
    store_bytes<To, overflow>(out, Ints32{From8::ints(in), From8::ints(in + 8),
                                          From8::ints(in + 16), From8::ints(in + 24)});
  } else {
    const auto results = static_cast<LaneOf<To>*>(out);
    From8::store_as(static_cast<To*>(nullptr), load_floats<From>(in), results);
    From8::store_as(static_cast<To*>(nullptr), load_floats<From>(in + 8), results + 8);
  }
}

template <class To, class From, size_t kCount, Round mode, Overflow overflow>
void step_from_floats(const LaneOf<From>* in, void* out) {
  if (all_ordinary<To, From, kCount>(in)) [[likely]] {
    step_from_floats<To, From, mode, overflow, false>(in, out);
  } else {
    step_from_floats<To, From, mode, overflow, true>(in, out);
  }
}

template <Round mode, Overflow overflow, bool kCare>
Shorts sixteen_halves(const float* in) {
  const Floats low = load<Floats>(in), high = load<Floats>(in + 8);
  if constexpr (kCare) {
    return joined(to_half_with_care<mode, overflow>(low), to_half_with_care<mode, overflow>(high));
  } else {
    return joined(to_half<mode>(low), to_half<mode>(high));
  }
}

// Here the results tell, and are fewer: only where one is infinite or NaN is care needed.
template <Round mode, Overflow overflow>
void step_from_floats_to_halves(const float* in, uint16_t* out) {
  Shorts low = sixteen_halves<mode, overflow, false>(in);
  Shorts high = sixteen_halves<mode, overflow, false>(in + 16);
  if (any_above(low, high, Format<half>::kMost)) [[unlikely]] {
    low = sixteen_halves<mode, overflow, true>(in);
    high = sixteen_halves<mode, overflow, true>(in + 16);
  }
  store(low, out);
  store(high, out + 16);
}

}  // namespace vinci
#endif
