// Steps of conversions from integers.
#pragma once

#include "kernel/convert_from_float.h"

#if defined(VINCI_CONVERT_VECTORS)
namespace vinci {

// ---- int32 to float ----

inline Floats with_sign_of(Ints x, Floats magnitude) {
  return Floats((Ints(magnitude) & INT32_MAX) | (x & INT32_MIN));
}

// `magnitude` is that of x, or one less. Clears the bit after the 24 that a float has: the rest is
// then below a half, so that rounding to nearest goes down. Bits after it may be cleared as well.
inline Ints without_half(Ints x, Ints magnitude) { return x & ~Ints(Words(magnitude) >> 24); }

template <Round mode>
Floats to_float(Ints x) {
  const Ints magnitude = Ints(_mm256_abs_epi32(__m256i(x)));  // of INT32_MIN: 2^31, unsigned
  if constexpr (mode == Round::kFloor) {
    return nearest_floats(without_half(x, x ^ (x >> 31)));
  } else if constexpr (mode == Round::kCeil) {
    const Ints minus = Ints(-Words(x));
    return with_sign_of(x, nearest_floats(without_half(minus, minus ^ (minus >> 31))));
  } else if constexpr (mode == Round::kTrunc) {
    return with_sign_of(x, nearest_floats(without_half(magnitude, magnitude)));
  } else if constexpr (mode == Round::kOdd) {
    const Floats cut = nearest_floats(without_half(magnitude, magnitude));
    const Ints inexact = truncated_ints(cut) != magnitude;
    return with_sign_of(x, Floats(Ints(cut) | (inexact & 1)));
  } else if constexpr (mode == Round::kRound) {
    // Two exact parts, and on top less than 1 that moves ties away from zero. Where x is exact it
    // is less than half of a last digit.
    const Floats high = nearest_floats(x & ~0xFF), low = nearest_floats(x & 0xFF);
    return high + (low + high * 0x1p-32f);
  } else {
    return nearest_floats(x);
  }
}

// ---- From int64: eight at a time, as their lower and their upper 32 bits ----

struct Halved {
  Ints low, high;  // elements 0, 1, 4, 5, 2, 3, 6, 7
};

inline Halved load_halved(const int64_t* in) {
  const __m256 first = load<__m256>(in), second = load<__m256>(in + 4);
  return {Ints(_mm256_shuffle_ps(first, second, 0x88)),
          Ints(_mm256_shuffle_ps(first, second, 0xDD))};
}

template <Overflow overflow>
Ints int32_of(const Halved& x) {
  Ints result = x.low;
  if constexpr (overflow == Overflow::kSaturate) {
    result = (x.low >> 31) == x.high ? x.low : (x.high >> 31) ^ INT32_MAX;
  }
  return Ints(in_order(__m256i(result)));
}

// Rounded to the 24 digits of a float; to nearest is left to the host.
template <Round mode>
Doubles shortened(Doubles x) {
  constexpr uint64_t kCut = (uint64_t{1} << 29) - 1;
  Longwords bits = Longwords(x);
  const Longwords negative = Longwords(Longs(x) < 0);
  if constexpr (mode == Round::kNone || mode == Round::kRint) return x;
  if constexpr (mode == Round::kFloor) bits += negative & kCut;
  if constexpr (mode == Round::kCeil) bits += ~negative & kCut;
  if constexpr (mode == Round::kRound) bits += kCut / 2 + 1;
  if constexpr (mode == Round::kOdd) bits |= (bits & kCut) + kCut;
  return Doubles(bits & ~kCut);
}

template <Round mode>
Floats to_float(const Halved& x) {
  // From 2^52 on the last 11 bits become one that says whether any is set: a double then holds x,
  // and it rounds as before.
  const Ints large = (x.high ^ (x.high >> 31)) > 0xFFFFF;
  const Ints cut = large & 0x7FF;
  const Ints low = (x.low | ((x.low & cut) + cut)) & ~cut;

  const Ints low_units = Ints{} + 0x43300000;   // upper half of 2^52, whose last bit counts 1
  const Ints high_units = Ints{} + 0x45300000;  // of 2^84, whose last bit counts 2^32
  const Ints high = x.high ^ INT32_MIN;         // 2^31 more, unsigned
  constexpr double kBias = 0x1p84 + 0x1p63 + 0x1p52;
  const auto sum = [](__m256i upper, __m256i lower) {
    return shortened<mode>((Doubles(upper) - kBias) + Doubles(lower));
  };
  return floats_of(sum(_mm256_unpacklo_epi32(__m256i(high), __m256i(high_units)),
                       _mm256_unpacklo_epi32(__m256i(low), __m256i(low_units))),
                   sum(_mm256_unpackhi_epi32(__m256i(high), __m256i(high_units)),
                       _mm256_unpackhi_epi32(__m256i(low), __m256i(low_units))));
}

// ---- Sixteen elements ----

// The halves of -8 to 7 all end in eight zeros.
inline void step_int4_to_half(const void* in, void* out) {
  const __m128i upper_bytes =
      _mm_setr_epi8(0x00, 0x3C, 0x40, 0x42, 0x44, 0x45, 0x46, 0x47,  // 0 to 7, -8 to -1
                    char(0xC8), char(0xC7), char(0xC6), char(0xC5), char(0xC4), char(0xC2),
                    char(0xC0), char(0xBC));
  const __m128i nibbles = parted_nibbles(_mm_cvtsi64_si128(load<int64_t>(in)));
  const __m128i upper = _mm_shuffle_epi8(upper_bytes, nibbles), zero = _mm_setzero_si128();
  store(_mm_unpacklo_epi8(zero, upper), out);
  store(_mm_unpackhi_epi8(zero, upper), static_cast<uint16_t*>(out) + 8);
}

template <class To, Round mode, Overflow overflow>
void step_from_int64(const int64_t* in, LaneOf<To>* out) {
  for (int i = 0; i < 16; i += 8) {
    const Halved x = load_halved(in + i);
    if constexpr (std::is_same_v<To, float>) {
      store(to_float<mode>(x), out + i);
    } else {
      store(int32_of<overflow>(x), out + i);
    }
  }
}

inline Ints load_ints(const int32_t* in) { return load<Ints>(in); }

// Eight results of 16 bits or more.
template <class To, Round mode>
void store_from_ints(Ints x, LaneOf<To>* out) {
  if constexpr (std::is_same_v<To, half>) {
    store(to_half<mode>(nearest_floats(x)), out);
  } else if constexpr (std::is_same_v<To, float>) {
    store(to_float<mode>(x), out);
  } else {
    store(longs_of<0>(x), out);
    store(longs_of<1>(x), out + 4);
  }
}

// From int8, uint8, int16 or int32. To a byte: 32 elements.
template <class To, class From, Round mode, Overflow overflow>
void step_from_integers(const From* in, LaneOf<To>* out) {
  if constexpr (sizeof(LaneOf<To>) == 1) {
    static_assert(sizeof(From) == 2);
    store_bytes<To, overflow>(out, load<Shorts>(in), load<Shorts>(in + 16));
  } else if constexpr (std::is_same_v<To, int16_t>) {
    store(to_int16<overflow>(load_ints(in), load_ints(in + 8)), out);
  } else {
    store_from_ints<To, mode>(load_ints(in), out);
    store_from_ints<To, mode>(load_ints(in + 8), out + 8);
  }
}

}  // namespace vinci
#endif
