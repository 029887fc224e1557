#include "tool/held_writes.h"

#include <algorithm>
#include <utility>

namespace vinci {
namespace {

Interval span_of(const Region& region) { return {region.first(), region.end()}; }

bool writes_gm(const Region& region) {
  return region.space == Space::kGm && region.access == Access::kWrite && !region.empty();
}

std::span<const uint8_t> bytes_of(Interval where) {
  return {reinterpret_cast<const uint8_t*>(where.first), where.end - where.first};
}

}  // namespace

void HeldWrites::begin() {
  held_.clear();
  pairs_.clear();
}

void HeldWrites::issued(std::span<const Region> regions) {
  for (const Region& region : regions) {
    if (writes_gm(region)) held_.push_back(span_of(region));
  }
}

void HeldWrites::keep(const Region& first, const Region& second, Fault fault) {
  const bool first_ran = std::ranges::find(held_, span_of(first)) == held_.end();
  const Interval both{std::max(first.first(), second.first()), std::min(first.end(), second.end())};
  pairs_.push_back(
      {{span_of(first), span_of(second)}, {first_ran, false}, both, {}, std::move(fault)});
}

void HeldWrites::before_run(const Step& step) {
  for (const Region& region : step.regions) {
    if (!writes_gm(region)) continue;
    const auto held = std::ranges::find(held_, span_of(region));
    if (held != held_.end()) held_.erase(held);
    for (Pair& pair : pairs_) {
      const bool is_first = !pair.ran[0] && pair.writes[0] == span_of(region);
      if (!is_first && pair.writes[1] != span_of(region)) continue;
      pair.ran[is_first ? 0 : 1] = true;
      if (!pair.ran[0] || !pair.ran[1]) continue;
      const std::span<const uint8_t> bytes = bytes_of(pair.both);
      pair.bytes.assign(bytes.begin(), bytes.end());
    }
  }
}

void HeldWrites::after_run(CoreView& core) {
  for (const Pair& pair : pairs_) {
    if (pair.bytes.empty() || std::ranges::equal(bytes_of(pair.both), pair.bytes)) continue;
    core.tell(pair.fault);
  }
  std::erase_if(pairs_, [](const Pair& pair) { return !pair.bytes.empty(); });
}

}  // namespace vinci
