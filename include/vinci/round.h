// The round modes of conversions.
#pragma once

#include <cstdint>

namespace vinci {

// In the order of the documents' CAST_NONE to CAST_ODD. TIK calls kRint 'round' and kRound
// 'away-zero'.
enum class Round : uint8_t {
  kNone,   // for results that are exact; else as kRint
  kRint,   // to nearest, ties to even
  kFloor,  // towards minus infinity
  kCeil,   // towards infinity
  kRound,  // to nearest, ties away from zero
  kTrunc,  // towards zero
  kOdd,    // to whichever neighbour has an odd last digit
};
inline constexpr int kRounds = 7;

}  // namespace vinci
