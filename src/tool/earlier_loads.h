// What copies from GM have brought into a core's own memories, and shorter ones behind them have
// left there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "vinci/region.h"
#include "vinci/tool.h"

namespace vinci {

// What a tensor of a queue holds is over when the buffer is handed out again, and what a copy has
// brought into any tensor and something has read, when another one begins at the same place, from
// elsewhere in the same buffer of GM: as the tiles of a loop do, of which the last is shorter. Only
// what copies brought is over, be it as they brought it or computed in place. What a kernel writes
// there by other means may be meant to stay: some clear a buffer once.
class EarlierLoads {
 public:
  // f(space, bytes): what is over.
  template <class F>
  void hand_out(Space space, const QueueEvent& event, F f) {
    Buffer& buffer = buffers_[{space, event.address}];
    buffer.allocation = event.allocation;
    if (!std::exchange(buffer.is_loaded, false)) return;
    f(space, buffer.loaded);
    if (!std::exchange(buffer.is_known, true)) over_[size_t(space)].add(buffer.loaded);
  }
  // Whether there is anything to follow: most instructions touch what no copy has brought.
  bool concerns(std::span<const Region> regions) const {
    return any_ || std::ranges::any_of(
                       regions, [](const Region& region) { return region.space == Space::kGm; });
  }
  // After an instruction has run. f(region, bytes): a copy to `region` has left them.
  template <class F>
  void follow(CoreView& core, const Step& step, F f) {
    const bool loads = core.pipe_of(step.record) == Pipe::kMte2;
    for (const Region& region : step.regions) {
      if (region.space == Space::kGm) continue;
      if (!loads && region.access != Access::kWrite) look_at(region);
      if (region.access == Access::kRead) continue;
      if (!loads) {
        overwrite(region, step.regions);
        continue;
      }
      const ByteSet left = load(core, region, step.regions);
      if (left.empty()) continue;
      f(region, left);
      over_[size_t(region.space)].add(left);
    }
  }
  // Something reads them.
  void look_at(const Region& region);
  // What is there now did not come by an instruction.
  void forget(const Region& region);
  // Whether bytes that nothing has written since are over.
  bool is_over(Space space, Interval bytes) const { return over_[size_t(space)].intersects(bytes); }
  void clear();

 private:
  // Of a queue: what copies have brought into the tensor that has it now, or, before they do, into
  // the one before. Mostly they bring the same each time.
  struct Buffer {
    uint32_t allocation = 0;
    ByteSet loaded;
    bool is_loaded = false;
    bool is_known = false;  // in over_
  };
  // Of other tensors: what the last copy to a place has brought, and where it began.
  struct Load {
    Interval tensor;
    uint64_t first = 0;
    uint64_t source = 0, source_buffer = 0;  // in GM
    ByteSet bytes;
    bool used = false;  // by anything
  };

  ByteSet load(CoreView& core, const Region& region, std::span<const Region> of_its_step);
  void load_of_queue(const Region& region);
  void overwrite(const Region& region, std::span<const Region> of_its_step);

  std::map<std::pair<Space, uint64_t>, Buffer> buffers_;  // by address
  std::vector<Load> loads_[kAllSpaces];
  bool any_ = false;  // of them
  ByteSet over_[kAllSpaces];
};

}  // namespace vinci
