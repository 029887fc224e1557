#include "tool/earlier_loads.h"

#include <algorithm>
#include <utility>

namespace vinci {
namespace {

// A kernel has few places that it loads into; of one with more, the oldest are not followed.
constexpr size_t kMostLoads = 32;

}  // namespace

void EarlierLoads::clear() {
  buffers_.clear();
  for (auto& loads : loads_) loads.clear();
  for (ByteSet& over : over_) over = {};
  any_ = false;
}

void EarlierLoads::forget(const Region& region) {
  ByteSet& over = over_[size_t(region.space)];
  if (!over.empty()) over.remove(ByteSet(region));
  if (any_) overwrite(region, {});
}

void EarlierLoads::look_at(const Region& region) {
  if (!any_ || region.empty()) return;
  for (Load& load : loads_[size_t(region.space)]) {
    load.used = load.used || (region.first() < load.bytes.intervals().back().end &&
                              load.bytes.intervals().front().first < region.end());
  }
}

void EarlierLoads::load_of_queue(const Region& region) {
  const auto found = std::ranges::find_if(buffers_, [&](const auto& one) {
    return one.second.allocation == region.operand.allocation;
  });
  if (found == buffers_.end()) return;
  Buffer& buffer = found->second;
  const bool more = std::exchange(buffer.is_loaded, true);
  const auto before = buffer.loaded.intervals();
  if (region.is_contiguous() && before.size() == 1 &&
      before[0] == Interval{region.first(), region.end()}) {
    return;
  }
  if (!more) buffer.loaded = {};
  buffer.loaded.add(region);
  buffer.is_known = false;
}

// What the copy before has brought to the same place, and this one has not.
ByteSet EarlierLoads::load(CoreView& core, const Region& region,
                           std::span<const Region> of_its_step) {
  if (region.empty()) return {};
  if (region.operand.allocation != 0) {
    load_of_queue(region);
    return {};
  }
  const auto source = std::ranges::find_if(of_its_step, [](const Region& other) {
    return other.space == Space::kGm && other.access != Access::kWrite && !other.empty();
  });
  if (source == of_its_step.end()) {  // it fills
    overwrite(region, {});
    return {};
  }
  Load load{{region.operand.address, region.operand.address + region.operand.bytes},
            region.first(),
            source->first(),
            core.gm_buffer(source->first()).first,
            ByteSet(region)};
  auto& loads = loads_[size_t(region.space)];
  const auto before = std::ranges::find_if(loads, [&](const Load& other) {
    return other.tensor == load.tensor && other.first == load.first &&
           other.source_buffer == load.source_buffer;
  });
  ByteSet left;
  if (before != loads.end()) {
    if (before->source == load.source || !before->used) {
      load.bytes.add(before->bytes);  // the same once more, or all of it is put together
    } else {
      left = before->bytes;
      left.remove(load.bytes);
    }
    loads.erase(before);
  }
  overwrite(region, {});
  if (loads.size() == kMostLoads) loads.erase(loads.begin());
  loads.push_back(std::move(load));
  any_ = true;
  return left;
}

// By something else than a copy, unless what is there goes into it.
void EarlierLoads::overwrite(const Region& region, std::span<const Region> of_its_step) {
  std::erase_if(loads_[size_t(region.space)], [&](Load& load) {
    if (region.end() <= load.bytes.intervals().front().first) return false;
    if (load.bytes.intervals().back().end <= region.first()) return false;
    const bool in_place = std::ranges::any_of(of_its_step, [&](const Region& other) {
      return other.space == region.space && other.access != Access::kWrite &&
             load.bytes.intersects(ByteSet(other));
    });
    if (!in_place) load.bytes.remove(ByteSet(region));
    return load.bytes.empty();
  });
}

}  // namespace vinci
