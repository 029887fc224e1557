// Every way to round, and what becomes of what is too large.
#pragma once

#include "numeric/convert.h"

namespace vinci {

inline constexpr Round kModes[] = {Round::kNone,  Round::kRint,  Round::kFloor, Round::kCeil,
                                   Round::kRound, Round::kTrunc, Round::kOdd};
inline constexpr Overflow kOverflows[] = {Overflow::kSaturate, Overflow::kWrapOrInf};

}  // namespace vinci
