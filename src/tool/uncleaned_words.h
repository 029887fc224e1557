// What SetValue of one core wrote and another one reads later, while it is still in the first one's
// scalar cache.
#pragma once

#include <span>
#include <vector>

#include "tool/block_race_text.h"
#include "tool/core_order.h"

namespace vinci {

// The reader is `here`. In the same order each time. `by_flags`: what flags and barriers order,
// without words that a core may have waited for: those would have been seen at last.
std::vector<GmPair> uncleaned_words(std::span<const GmTrace> traces, const CoreOrder& by_flags,
                                    const CoreOrder& order);

}  // namespace vinci
