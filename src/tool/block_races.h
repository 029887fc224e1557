// Cores of a launch that touch the same bytes of GM have an order: by flags between cores,
// barriers, and words in GM that scalar code looks at.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tool/core_order.h"
#include "tool/gm_trace.h"
#include "vinci/grid.h"

namespace vinci {

class GlobalMemory;
struct Soc;

class BlockRaces {
 public:
  // A launch begins.
  void begin();
  // A core has ended. Any thread may call it.
  void take(GmTrace&& trace);
  // All of them have. Tells what it finds, in the same order each time. pipes_in_order as in Checks.
  void finish(const Soc& soc, const GlobalMemory& gm, const Grid& grid, bool pipes_in_order,
              const std::function<bool(const Fault&)>& tell);

 private:
  std::mutex mutex_;
  std::map<int64_t, GmTrace> traces_;
};

}  // namespace vinci
