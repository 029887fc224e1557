// What GetValue of one core reads again, from a line of its scalar cache, though another core has
// written it in GM since.
#pragma once

#include <span>
#include <vector>

#include "tool/block_race_text.h"
#include "tool/core_order.h"

namespace vinci {

// The reader is `here`. In the same order each time. `by_flags`: what flags and barriers order.
std::vector<GmPair> stale_lines(std::span<const GmTrace> traces, const CoreOrder& by_flags);

}  // namespace vinci
