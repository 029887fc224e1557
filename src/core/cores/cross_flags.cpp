#include "core/cores/cross_flags.h"

#include <algorithm>
#include <utility>

namespace vinci {
namespace {

constexpr int kCounters = CrossFlags::kFlags + 1;

size_t index_of(int64_t core, int flag) { return size_t(core * kCounters + flag); }

}  // namespace

int64_t CrossFlags::full_receiver(int64_t core, int mode, int flag) const {
  const std::lock_guard lock(mutex_);
  size_t own = 0;  // of this core, that have not counted
  if (const auto pending = pending_.find(core); pending != pending_.end()) {
    own += size_t(std::ranges::count_if(
        pending->second, [&](const Set& set) { return set.mode == mode && set.flag == flag; }));
  }
  const auto arrived = arrived_.find({mode, flag});
  if (arrived != arrived_.end()) own += arrived->second[size_t(core)].size();
  int64_t full = -1;
  for_each(receivers(core, mode), [&](int64_t receiver) {
    const size_t index = index_of(receiver, flag);
    const auto taken = taken_.find(index);
    const size_t counted =
        (counts_.empty() ? 0 : counts_[index].size()) + (taken == taken_.end() ? 0 : taken->second);
    if (full < 0 && counted + own >= size_t(kMostCount)) full = receiver;
  });
  return full;
}

void CrossFlags::set(Told told, int mode, int flag, const Origin& origin) {
  const std::lock_guard lock(mutex_);
  pending_[told.core].push_back({mode, flag, origin, told.number});
}

bool CrossFlags::is_set(int64_t core, int flag) const {
  const std::lock_guard lock(mutex_);
  return !counts_.empty() && !counts_[index_of(core, flag)].empty();
}

CrossFlags::Tellers CrossFlags::take(int64_t core, int flag) {
  const std::lock_guard lock(mutex_);
  if (counts_.empty() || counts_[index_of(core, flag)].empty()) return nullptr;
  auto& count = counts_[index_of(core, flag)];
  Tellers tellers = std::move(count.front().tellers);
  count.pop_front();
  ++taken_[index_of(core, flag)];
  return tellers;
}

CrossFlags::Partly CrossFlags::partly_set(int64_t core, int flag) const {
  const std::lock_guard lock(mutex_);
  Partly partly;
  for (const auto& arrived : arrived_) {
    // No structured binding: clang 14 captures none.
    const auto& of = arrived.first;
    const auto& by_core = arrived.second;
    if (of.second != flag) continue;
    for (int64_t setter = 0; setter < grid_.cores() && partly.have.empty(); ++setter) {
      bool is_for_core = false;
      for_each(receivers(setter, of.first), [&](int64_t one) { is_for_core |= one == core; });
      if (!is_for_core || by_core[size_t(setter)].empty()) continue;
      for_each(setters(setter, of.first), [&](int64_t one) {
        (by_core[size_t(one)].empty() ? partly.have_not : partly.have).push_back(one);
      });
    }
    if (!partly.have.empty()) break;
  }
  return partly;
}

void CrossFlags::store(Told told, int32_t* word, int32_t value, bool adds) {
  const std::lock_guard lock(mutex_);
  stores_[told.core].push_back({word, value, adds, told.number});
}

std::vector<Told> CrossFlags::tellers_of(std::span<const int32_t* const> words) const {
  const std::lock_guard lock(mutex_);
  std::vector<Told> tellers;
  for (const int32_t* word : words) {
    const auto found = told_by_.find(word);
    if (found == told_by_.end()) continue;
    for (const auto& [core, number] : found->second) tellers.push_back({core, number});
  }
  return tellers;
}

void CrossFlags::let_next(int64_t index, Told told) {
  const std::lock_guard lock(mutex_);
  Let& letting = letting_[index];
  ++letting.times;
  letting.told = told;
}

uint64_t CrossFlags::times_let(int64_t index) const {
  const std::lock_guard lock(mutex_);
  const auto found = let_.find(index);
  return found == let_.end() ? 0 : found->second.times;
}

Told CrossFlags::teller(int64_t index) const {
  const std::lock_guard lock(mutex_);
  const auto found = let_.find(index);
  return found == let_.end() ? Told() : found->second.told;
}

std::vector<CrossFlags::Overflow> CrossFlags::publish() {
  const std::lock_guard lock(mutex_);
  std::vector<Overflow> overflows;
  for (const auto& [core, stores] : stores_) {
    for (const Store& store : stores) {
      const int32_t before = store.adds ? __atomic_load_n(store.word, __ATOMIC_RELAXED) : 0;
      __atomic_store_n(store.word, int32_t(uint32_t(before) + uint32_t(store.value)),
                       __ATOMIC_RELAXED);
      told_by_[store.word][core] = store.number;
    }
  }
  stores_.clear();
  for (const auto& [index, letting] : letting_) {
    let_[index].times += letting.times;
    let_[index].told = letting.told;
  }
  letting_.clear();
  taken_.clear();
  if (pending_.empty()) return overflows;
  if (counts_.empty()) counts_.resize(index_of(grid_.cores(), 0));
  for (const auto& [core, sets] : pending_) {
    for (const Set& set : sets) apply(core, set, overflows);
  }
  pending_.clear();
  return overflows;
}

std::vector<CrossFlags::Left> CrossFlags::left() {
  std::vector<Left> left;
  publish();
  for (size_t i = 0; i < counts_.size(); ++i) {
    const auto core = int64_t(i / kCounters);
    const auto flag = int(i % kCounters);
    if (flag == kBarrier) continue;
    for (const Count& count : counts_[i]) left.push_back({count.setter, core, flag, count.origin});
  }
  for (const auto& [of, by_core] : arrived_) {
    if (of.second == kBarrier) continue;
    for (size_t core = 0; core < by_core.size(); ++core) {
      for (const Set& set : by_core[core])
        left.push_back({int64_t(core), -1, of.second, set.origin});
    }
  }
  std::ranges::stable_sort(left, {}, &Left::setter);
  return left;
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

CrossFlags::Tellers CrossFlags::completed_by(int64_t core, const Set& set) {
  auto& arrived = arrived_[{set.mode, set.flag}];
  if (arrived.empty()) arrived.resize(size_t(grid_.cores()));
  arrived[size_t(core)].push_back(set);
  const Group group = setters(core, set.mode);
  bool all = true;
  for_each(group, [&](int64_t setter) { all &= !arrived[size_t(setter)].empty(); });
  if (!all) return nullptr;
  std::vector<Told> tellers;
  for_each(group, [&](int64_t setter) {
    tellers.push_back({setter, arrived[size_t(setter)].front().number});
    arrived[size_t(setter)].pop_front();
  });
  return std::make_shared<const std::vector<Told>>(std::move(tellers));
}

void CrossFlags::apply(int64_t core, const Set& set, std::vector<Overflow>& overflows) {
  const Tellers tellers = completed_by(core, set);
  if (tellers == nullptr) return;
  for_each(receivers(core, set.mode), [&](int64_t receiver) {
    auto& count = counts_[index_of(receiver, set.flag)];
    if (count.size() < size_t(kMostCount)) return count.push_back({tellers, core, set.origin});
    overflows.push_back({core, receiver, set.flag, set.origin});
  });
}

}  // namespace vinci
