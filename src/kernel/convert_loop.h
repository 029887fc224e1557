// The loop behind convert_array: in steps of sixteen elements where the host has the instructions,
// else one element at a time.
#pragma once

#include <array>
#include <cstring>
#include <utility>

#include "kernel/convert_array.h"
#include "kernel/convert_from_integer.h"

namespace vinci {

template <class T>
inline constexpr bool kInt4 = std::is_same_v<T, AscendC::int4b_t>;

#if defined(VINCI_CONVERT_VECTORS)

// Elements that go together.
template <class To, class From>
inline constexpr size_t kStep = sizeof(LaneOf<To>) == 1 ||
                                        (std::is_same_v<To, half> && std::is_same_v<From, float>)
                                    ? 32
                                    : 16;

template <class To, class From, Round mode, Overflow overflow>
void convert_step(const void* in, void* out) {
  if constexpr (std::is_same_v<To, half> && std::is_same_v<From, float>) {
    step_from_floats_to_halves<mode, overflow>(static_cast<const float*>(in),
                                               static_cast<uint16_t*>(out));
  } else if constexpr (Format<From>::kIsFloat) {
    step_from_floats<To, From, kStep<To, From>, mode, overflow>(
        static_cast<const LaneOf<From>*>(in), out);
  } else if constexpr (kInt4<From>) {
    step_int4_to_half(in, out);
  } else if constexpr (std::is_same_v<From, int64_t>) {
    step_from_int64<To, mode, overflow>(static_cast<const From*>(in),
                                        static_cast<LaneOf<To>*>(out));
  } else {
    step_from_integers<To, From, mode, overflow>(static_cast<const From*>(in),
                                                 static_cast<LaneOf<To>*>(out));
  }
}

template <class To, class From, Round mode, Overflow overflow>
void convert_loop(const void* in, void* out, size_t count) {
  auto from = static_cast<const uint8_t*>(in);
  auto to = static_cast<uint8_t*>(out);
  constexpr size_t kCount = kStep<To, From>;
  const size_t rest = count % kCount;
  for (const uint8_t* const end = from + bytes_of(dtype_of<From>, count - rest); from != end;) {
    convert_step<To, From, mode, overflow>(from, to);
    from += bytes_of(dtype_of<From>, kCount);
    to += bytes_of(dtype_of<To>, kCount);
  }
  if (rest == 0) return;
  LaneOf<From> last[kCount] = {};
  LaneOf<To> results[kCount];
  std::memcpy(last, from, bytes_of(dtype_of<From>, rest));
  convert_step<To, From, mode, overflow>(last, results);
  std::memcpy(to, results, bytes_of(dtype_of<To>, rest));
}

#else

template <class T>
LaneOf<T> lane_at(const void* array, size_t i) {
  if constexpr (kInt4<T>) {
    const unsigned nibbles = static_cast<const uint8_t*>(array)[i / 2];
    return int8_t(int(nibbles >> (i % 2 * 4) & 15) ^ 8) - 8;
  } else {
    LaneOf<T> value;
    std::memcpy(&value, static_cast<const uint8_t*>(array) + i * sizeof(value), sizeof(value));
    return value;
  }
}

template <class T>
void set_lane(void* array, size_t i, LaneOf<T> value) {
  if constexpr (kInt4<T>) {
    uint8_t& nibbles = static_cast<uint8_t*>(array)[i / 2];
    nibbles = uint8_t(i % 2 == 0 ? value & 15 : (nibbles & 15) | value << 4);
  } else {
    std::memcpy(static_cast<uint8_t*>(array) + i * sizeof(value), &value, sizeof(value));
  }
}

template <class To, class From, Round mode, Overflow overflow>
void convert_loop(const void* in, void* out, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    set_lane<To>(out, i, convert<To, From>(lane_at<From>(in, i), mode, overflow));
  }
}

#endif

// Whether all modes, or both overflows, give the same results, so that they share a loop. A float
// is wider than any integer that it holds exactly.
template <class To, class From>
inline constexpr bool kOneMode = Format<To>::kIsFloat ? sizeof(LaneOf<To>) > sizeof(LaneOf<From>)
                                                      : !Format<From>::kIsFloat;
template <class To, class From>
inline constexpr bool kOneOverflow =
    std::is_same_v<To, float> || (Format<To>::kIsFloat && !Format<From>::kIsFloat) ||
    (sizeof(LaneOf<To>) > sizeof(LaneOf<From>) && std::is_same_v<From, half>) ||
    (sizeof(LaneOf<To>) > sizeof(LaneOf<From>) && !Format<From>::kIsFloat);

template <class To, class From>
ConvertArray loop_of(Round mode, Overflow overflow) {
  constexpr auto kLoops = []<int... modes>(std::integer_sequence<int, modes...>) {
    const auto loop = []<int mode_number, Overflow wanted>() -> ConvertArray {
      constexpr bool kAnyMode = kOneMode<To, From> || Round(mode_number) == Round::kNone;
      constexpr Round kMode = kAnyMode ? Round::kRint : Round(mode_number);
      constexpr Overflow kOverflow = kOneOverflow<To, From> ? Overflow::kSaturate : wanted;
      return convert_loop<To, From, kMode, kOverflow>;
    };
    return std::array<std::array<ConvertArray, kRounds>, 2>{
        {{loop.template operator()<modes, Overflow::kSaturate>()...},
         {loop.template operator()<modes, Overflow::kWrapOrInf>()...}}};
  }
  (std::make_integer_sequence<int, kRounds>());
  return kLoops[size_t(overflow)][size_t(mode)];
}

}  // namespace vinci
