// What SetValue of one core wrote and another one reads later, while it is still in the first one's
// scalar cache.
#pragma once

#include <span>
#include <vector>

#include "tool/block_race_text.h"
#include "tool/core_order.h"

namespace vinci {

// A word that an instruction wrote past the cache, once, and a look of another core that saw it.
struct SeenWord {
  GmUse word, look;
};

// The reader is `here`. In the same order each time. `by_flags`: what flags and barriers order,
// without words that a core may have waited for: those would have been seen at last. Of such words
// only `seen` count, and only for what scalar code of the reader's core never looks at itself.
std::vector<GmPair> uncleaned_words(std::span<const GmTrace> traces, const CoreOrder& by_flags,
                                    const CoreOrder& order, std::span<const SeenWord> seen);

}  // namespace vinci
