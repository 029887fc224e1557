// Looks of scalar code at what other cores add to: those that wait for the sums, and those that do
// not.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "tool/block_race_text.h"
#include "tool/core_order.h"

namespace vinci {

// Who waits looks until it has seen what it waits for. So a core has not waited if nobody had begun
// to add when it looked for the last time, and yet it went on to write; nor if the sums count
// nothing: they are no whole numbers.
class SumLooks {
 public:
  // `order` may learn more later.
  SumLooks(std::span<const GmTrace> traces, const CoreOrder& order);

  // Whether the core cleans its scalar unit's cache only to look at sums of others next.
  bool are_cleaned_for(const GmTrace& trace) const;
  // Whether scalar code may have waited for the sum at which it looked.
  bool may_wait(const GmUse& look, const GmUse& sum) const;

 private:
  static constexpr uint64_t kLine = 64;

  // Of one core in one line, in the order of the segments.
  struct Look {
    uint32_t segment;
    uint64_t when;  // the latest up to here
  };
  struct Line {
    std::map<int64_t, std::vector<Look>> looks;
    std::map<int64_t, std::vector<GmTrace::Sum>> sums;
  };

  void add_looks(const GmTrace& trace);
  void add_sums(const GmTrace& trace);
  bool meets_sums(const GmUse& look) const;
  enum class Kind : uint8_t { kNone, kNumbers, kCounts };
  Kind kind_of(const GmUse& sum, Interval where) const;
  uint64_t last_look(const Line& line, const GmUse& look, const GmUse& sum) const;
  uint64_t first_sum(const Line& line, const GmUse& look) const;

  const CoreOrder& order_;
  std::map<uint64_t, Line> lines_;           // where scalar code looks
  std::map<int64_t, uint32_t> last_writes_;  // by core: their turn
};

}  // namespace vinci
