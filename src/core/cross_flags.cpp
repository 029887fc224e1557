#include "core/cross_flags.h"

namespace vinci {
namespace {

constexpr int kCounters = CrossFlags::kFlags + 1;

size_t index_of(int64_t core, int flag) { return size_t(core * kCounters + flag); }

}  // namespace

void CrossFlags::set(int64_t core, int mode, int flag, const Origin& origin) {
  const std::lock_guard lock(mutex_);
  pending_[core].push_back({mode, flag, origin});
}

bool CrossFlags::is_set(int64_t core, int flag) const {
  const std::lock_guard lock(mutex_);
  return !counts_.empty() && counts_[index_of(core, flag)] != 0;
}

bool CrossFlags::take(int64_t core, int flag) {
  const std::lock_guard lock(mutex_);
  if (counts_.empty() || counts_[index_of(core, flag)] == 0) return false;
  --counts_[index_of(core, flag)];
  return true;
}

void CrossFlags::store(int64_t core, int32_t* word, int32_t value, bool adds) {
  const std::lock_guard lock(mutex_);
  stores_[core].push_back({word, value, adds});
}

void CrossFlags::let_next(int64_t index) {
  const std::lock_guard lock(mutex_);
  ++letting_[index];
}

uint64_t CrossFlags::times_let(int64_t index) const {
  const std::lock_guard lock(mutex_);
  const auto found = let_.find(index);
  return found == let_.end() ? 0 : found->second;
}

std::vector<CrossFlags::Overflow> CrossFlags::publish() {
  const std::lock_guard lock(mutex_);
  std::vector<Overflow> overflows;
  for (const auto& [core, stores] : stores_) {
    for (const Store& store : stores) {
      const int32_t before = store.adds ? __atomic_load_n(store.word, __ATOMIC_RELAXED) : 0;
      __atomic_store_n(store.word, int32_t(uint32_t(before) + uint32_t(store.value)),
                       __ATOMIC_RELAXED);
    }
  }
  stores_.clear();
  for (const auto& [index, times] : letting_) let_[index] += times;
  letting_.clear();
  if (pending_.empty()) return overflows;
  if (counts_.empty()) counts_.resize(index_of(grid_.cores(), 0));
  for (const auto& [core, sets] : pending_) {
    for (const Set& set : sets) apply(core, set, overflows);
  }
  pending_.clear();
  return overflows;
}

CrossFlags::Group CrossFlags::setters(int64_t core, int mode) const {
  const CoreKind kind = grid_.kind_of(core);
  if (mode == kAllCores) return {0, grid_.cores(), true, kind};
  if (mode == 0) return {0, grid_.cores(), false, kind};
  if (mode == 2 && kind == CoreKind::kAic) return {core, core + 1, false, kind};
  const int64_t first = core - grid_.place_in_block(core);
  return {first, first + grid_.cores_per_block(), false, kind};
}

CrossFlags::Group CrossFlags::receivers(int64_t core, int mode) const {
  Group group = setters(core, mode);
  if (mode != 2 || group.kind == CoreKind::kWhole) return group;
  group.first = core - grid_.place_in_block(core);
  group.end = group.first + grid_.cores_per_block();
  group.kind = group.kind == CoreKind::kAic ? CoreKind::kAiv : CoreKind::kAic;
  return group;
}

template <class F>
void CrossFlags::for_each(const Group& group, F f) const {
  for (int64_t core = group.first; core < group.end; ++core) {
    if (group.all_kinds || grid_.kind_of(core) == group.kind) f(core);
  }
}

bool CrossFlags::completes(int64_t core, const Set& set) {
  auto& arrived = arrived_[{set.mode, set.flag}];
  if (arrived.empty()) arrived.resize(size_t(grid_.cores()));
  ++arrived[size_t(core)];
  const Group group = setters(core, set.mode);
  bool all = true;
  for_each(group, [&](int64_t setter) { all &= arrived[size_t(setter)] != 0; });
  if (all) for_each(group, [&](int64_t setter) { --arrived[size_t(setter)]; });
  return all;
}

void CrossFlags::apply(int64_t core, const Set& set, std::vector<Overflow>& overflows) {
  if (!completes(core, set)) return;
  for_each(receivers(core, set.mode), [&](int64_t receiver) {
    uint8_t& count = counts_[index_of(receiver, set.flag)];
    if (++count <= kMostCount) return;
    count = kMostCount;
    overflows.push_back({core, receiver, set.flag, set.origin});
  });
}

}  // namespace vinci
