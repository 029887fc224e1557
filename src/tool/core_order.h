// Which segments of a launch's cores came before which others: vector clocks over its cores, made
// from their traces when the launch has ended.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tool/gm_trace.h"

namespace vinci {

class CoreOrder {
 public:
  // In the order of the cores, all of which are there.
  explicit CoreOrder(std::span<const GmTrace> traces);

  // A segment of one core is over before one of another core begins, for all that is known. The
  // order counts from settle() on.
  void add(int64_t core, uint32_t segment, int64_t other, uint32_t before);
  void settle();

  // So many segments of `other` are over when a core begins this one.
  uint32_t known(int64_t core, uint32_t segment, int64_t other) const;
  // The first segment of a core that begins when this one of `other` is over.
  uint32_t first_behind(int64_t core, int64_t other, uint32_t segment) const;

 private:
  // How many segments of a core are over.
  struct Over {
    int64_t core;
    uint32_t segments;

    friend bool operator==(const Over&, const Over&) = default;
  };
  using Clock = std::vector<Over>;  // in the order of the cores
  // Behind a barrier all cores know the same, and share it.
  using Shared = std::shared_ptr<const Clock>;
  // From a segment on.
  struct Entry {
    uint32_t segment;
    std::vector<Over> heard;
    Shared clock;  // nullptr: none yet
  };
  using Entries = std::vector<Entry>;  // in the order of the segments

  static uint32_t segments_of(const Clock& clock, int64_t core);
  // nullptr: nothing is known yet.
  const Clock* clock_at(int64_t core, uint32_t segment) const;
  bool update(int64_t core, const Clock* before, Entry& entry);
  void learn(const Clock& clock);
  void learn(const Over& over);

  std::vector<Entries> entries_;             // by core
  std::vector<std::vector<uint32_t>> told_;  // by core: the segments behind which it told others
  // The clock that is being made, by core; and those of which something is in it.
  std::vector<uint32_t> made_;
  std::vector<int64_t> in_it_;
  Shared last_;  // that was made
};

}  // namespace vinci
