// What is told of cores of a launch that touch the same bytes of GM.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "tool/gm_trace.h"
#include "vinci/fault.h"
#include "vinci/grid.h"

namespace vinci {

class GlobalMemory;
struct Soc;

// Of the scalar unit's cache.
inline constexpr uint64_t kScalarCacheLine = 64;

// A touch with its core.
struct GmUse {
  const GmTrace::Touch* touch;
  const GmTrace* trace;

  int64_t core() const { return trace->core; }
  const GmTrace::Site& site() const { return trace->sites[touch->site]; }
  const Written& written() const { return trace->written(*touch); }
  bool writes() const { return touch->is(GmTrace::kWrites); }
};

// The bytes that both touch.
inline Interval common(const GmUse& one, const GmUse& other) {
  return {std::max(one.touch->piece.first, other.touch->piece.first),
          std::min(one.touch->piece.end, other.touch->piece.end)};
}

// Two lines with what they do, and the first time that they meet.
struct GmPair {
  GmUse here, there;
  Interval where;
  Pipe untold;  // the one that was at work, if a flag orders the two, but on another pipe
  std::set<std::pair<int64_t, int64_t>> cores;
};

class BlockRaceText {
 public:
  // `pipes_in_order`: of scripts, which have one statement that orders cores.
  BlockRaceText(const Soc& soc, const GlobalMemory& gm, const Grid& grid, bool pipes_in_order)
      : soc_(soc), gm_(gm), grid_(grid), pipes_in_order_(pipes_in_order) {}

  // That nothing orders the two.
  Fault fault_of(const GmPair& finding) const;
  // That they write one line of the scalar unit's cache. `own`: words that their cores read again,
  // and nobody else.
  Fault fault_of_line(const GmPair& finding, bool own) const;
  // That one reads a word that is still in the other one's cache.
  Fault fault_of_word(const GmPair& finding) const;
  // That one has a line in its own cache that is older than what the other one wrote.
  Fault fault_of_stale(const GmPair& finding) const;
  // Whether the chip can clean the scalar unit's cache.
  bool can_clean() const { return has("data_cache_clean_and_invalid"); }

 private:
  // Of V4014: `why` is what the cache has to do with it.
  Fault fault_of_cache(const GmPair& finding, const std::string& why, std::string legal) const;
  std::string other_of(const GmPair& finding) const;
  // Whether the chip has an instruction.
  bool has(std::string_view mnemonic) const;
  // What orders two cores.
  std::string orders(int64_t one, int64_t other) const;
  std::string remedy(const GmPair& finding) const;

  const Soc& soc_;
  const GlobalMemory& gm_;
  const Grid& grid_;
  const bool pipes_in_order_;
};

}  // namespace vinci
