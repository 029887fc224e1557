// Rounding an integer at one of its bits, in any round mode: exact, in integers.
#pragma once

#include <algorithm>
#include <cstdint>

#include "vinci/round.h"

namespace vinci {

// What is cut off, compared with half of the last digit kept.
enum class Rest : uint8_t { kZero, kBelowHalf, kHalf, kAboveHalf };

// Whether the kept digits of a magnitude grow by one; `odd` is the last of them.
constexpr bool rounds_up(Round mode, bool negative, bool odd, Rest rest) {
  switch (mode) {
    case Round::kNone:
    case Round::kRint: return rest == Rest::kAboveHalf || (rest == Rest::kHalf && odd);
    case Round::kFloor: return negative && rest != Rest::kZero;
    case Round::kCeil: return !negative && rest != Rest::kZero;
    case Round::kRound: return rest >= Rest::kHalf;
    case Round::kTrunc: return false;
    case Round::kOdd: return rest != Rest::kZero && !odd;
  }
  return false;
}

// magnitude / 2^shift as an integer. A shift of 64 or more takes a magnitude below 2^62.
constexpr uint64_t shift_right(uint64_t magnitude, int shift, bool negative, Round mode) {
  if (shift <= 0) return magnitude << -shift;
  const int all = std::min(shift, 63);  // what is below a half stays there
  const uint64_t kept = magnitude >> all;
  const uint64_t cut = magnitude - (kept << all);
  const uint64_t tie = uint64_t{1} << (all - 1);
  const Rest rest = cut == 0    ? Rest::kZero
                    : cut < tie ? Rest::kBelowHalf
                    : cut > tie ? Rest::kAboveHalf
                                : Rest::kHalf;
  return kept + rounds_up(mode, negative, kept & 1, rest);
}

}  // namespace vinci
