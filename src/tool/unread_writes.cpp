#include "tool/unread_writes.h"

#include <algorithm>
#include <utility>

namespace vinci {

void UnreadWrites::begin() {
  for (auto& pairs : pairs_) pairs.clear();
  kept_ = 0;
}

void UnreadWrites::keep(Space space, ByteSet bytes, Fault fault) {
  auto& pairs = pairs_[size_t(space)];
  const auto same = std::ranges::find_if(pairs, [&](const Pair& pair) {
    return pair.fault.frames == fault.frames && pair.fault.other.frames == fault.other.frames;
  });
  if (same == pairs.end()) {
    pairs.push_back({std::move(bytes), std::move(fault)});
    ++kept_;
  } else {
    same->bytes.add(bytes);
    same->fault = std::move(fault);  // the pair that is read soonest
  }
}

void UnreadWrites::look_at(CoreView& core, std::span<const Region> regions) {
  for (const Access access : {Access::kRead, Access::kWrite}) {
    for (const Region& region : regions) {
      auto& pairs = pairs_[size_t(region.space)];
      if (pairs.empty() || region.access != access) continue;
      const ByteSet touched(region);
      kept_ -= std::erase_if(pairs, [&](Pair& pair) {
        if (!pair.bytes.intersects(touched)) return false;
        if (access == Access::kRead) core.tell(pair.fault);
        pair.bytes.remove(touched);
        return access == Access::kRead || pair.bytes.empty();
      });
    }
  }
}

}  // namespace vinci
