// The flags with which the cores of a launch wait for each other.
//
// Each core has 16 counters, and one more for barriers. Who must set a flag before it counts, and
// for whom it then counts, is the mode's affair (docs/spec/cross_core_set_flag.md).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/call_stack.h"
#include "vinci/device.h"
#include "vinci/tool.h"

namespace vinci {

class CrossFlags {
 public:
  static constexpr int kFlags = 16;
  static constexpr int kBarrier = kFlags;  // the counter of barriers between blocks
  static constexpr int kMostCount = 15;
  // Not a mode of the chip: all cores of the launch, for a barrier between both kinds.
  static constexpr int kAllCores = 3;

  explicit CrossFlags(const Grid& grid) : grid_(grid) {}

  // Who set a flag so that it counts, and what they told with it.
  using Tellers = std::shared_ptr<const std::vector<Told>>;

  // A core whose counter could go above what it counts by this core's next set, or -1: what has
  // been taken since the last publish() might be taken later.
  int64_t full_receiver(int64_t core, int mode, int flag) const;
  // A core sets a flag; seen after the next publish().
  void set(Told told, int mode, int flag, const Origin& origin);
  // Whether the core's counter is above 0; take() lowers it then.
  bool is_set(int64_t core, int flag) const;
  Tellers take(int64_t core, int flag);

  // Who has set this flag for the core, but not so that it counts, and who has to set it as well.
  struct Partly {
    std::vector<int64_t> have, have_not;
  };
  Partly partly_set(int64_t core, int flag) const;

  // A word in GM gets `value`, or it more, for others to see after the next publish().
  void store(Told told, int32_t* word, int32_t value, bool adds);
  // Who stored to one of the words, each with what it told last.
  std::vector<Told> tellers_of(std::span<const int32_t* const> words) const;
  // How often a vector core, by its index among them, has let the next one go on; seen after the
  // next publish().
  void let_next(int64_t index, Told told);
  uint64_t times_let(int64_t index) const;
  // What it told when it did so last.
  Told teller(int64_t index) const;

  // A counter that went above what it can count.
  struct Overflow {
    int64_t setter = -1, core = -1;
    int flag = 0;
    Origin origin{};  // of the set
  };
  // A set that nobody waited for: `core` is who should have, or -1 if other cores had to set it,
  // too.
  struct Left {
    int64_t setter = -1, core = -1;
    int flag = 0;
    Origin origin{};
  };
  // Once all cores have ended, those of the kernel's own flags, by their setters.
  std::vector<Left> left();

  // What was set so far counts, in the order of the cores. Returns the counters that overflowed.
  std::vector<Overflow> publish();

 private:
  struct Set {
    int mode, flag;
    Origin origin;
    uint32_t number;  // of what was told
  };
  struct Store {
    int32_t* word;
    int32_t value;
    bool adds;
    uint32_t number;
  };
  struct Let {
    uint64_t times = 0;
    Told told;  // the last time
  };
  // Cores first..end-1, of one kind or of all.
  struct Group {
    int64_t first, end;
    bool all_kinds;
    CoreKind kind;
  };

  Group setters(int64_t core, int mode) const;
  Group receivers(int64_t core, int mode) const;
  template <class F>
  void for_each(const Group& group, F f) const;
  // Those whose sets count now that this one has come; nullptr: its mode wants more.
  Tellers completed_by(int64_t core, const Set& set);
  void apply(int64_t core, const Set& set, std::vector<Overflow>& overflows);

  const Grid grid_;
  mutable std::mutex mutex_;
  std::map<int64_t, std::vector<Set>> pending_;   // by core
  std::map<int64_t, std::vector<Store>> stores_;  // by core
  std::map<int64_t, Let> letting_, let_;          // by index
  // What a counter counts: who told, and the last set that it took.
  struct Count {
    Tellers tellers;
    int64_t setter;
    Origin origin;
  };
  // By core and flag, an entry for each count; empty until somebody sets one.
  std::vector<std::deque<Count>> counts_;
  std::map<size_t, size_t> taken_;  // of them, since the last publish()
  // Sets that have not counted yet: by mode and flag, then by core.
  std::map<std::pair<int, int>, std::vector<std::deque<Set>>> arrived_;
  std::map<const int32_t*, std::map<int64_t, uint32_t>> told_by_;  // by word, then by core
};

}  // namespace vinci
