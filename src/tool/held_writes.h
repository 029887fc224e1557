// Writes to GM that nothing orders, under a schedule that holds instructions back.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "vinci/tool.h"

namespace vinci {

// Keeps the fault of such a pair until both have run: if the one that runs last leaves the bytes as
// it finds them, they may come in any order. Tails that are rounded up towards the front are so.
class HeldWrites {
 public:
  void begin();
  // An instruction that has not run yet.
  void issued(std::span<const Region> regions);
  // The second one of the pair is the last that was issued; `both` has the bytes that both may
  // write.
  void keep(const Region& first, const Region& second, Fault fault);
  void before_run(const Step& step);
  void after_run(CoreView& core);

 private:
  struct Pair {
    std::array<Interval, 2> writes;
    std::array<bool, 2> ran;
    Interval both;               // has the bytes that both may write
    std::vector<uint8_t> bytes;  // before the last of the two; empty: that does not run
    Fault fault;
  };

  std::vector<Interval> held_;
  std::vector<Pair> pairs_;
};

}  // namespace vinci
