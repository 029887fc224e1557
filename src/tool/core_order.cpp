#include "tool/core_order.h"

#include <algorithm>
#include <utility>

namespace vinci {

CoreOrder::CoreOrder(std::span<const GmTrace> traces)
    : entries_(traces.size()), made_(traces.size(), 0) {
  for (const GmTrace& trace : traces) told_.push_back(trace.told);
  for (const GmTrace& trace : traces) {
    for (const GmTrace::Heard& heard : trace.heard) {
      for (const Told& told : heard.told) {
        const uint32_t segment = traces[size_t(told.core)].told[told.number - 1];
        if (told.core != trace.core) add(told.core, segment, trace.core, heard.segment);
      }
    }
  }
  settle();
}

void CoreOrder::add(int64_t core, uint32_t segment, int64_t other, uint32_t before) {
  Entries& entries = entries_[size_t(other)];
  auto entry = std::ranges::lower_bound(entries, before, {}, &Entry::segment);
  if (entry == entries.end() || entry->segment != before)
    entry = entries.insert(entry, {before, {}, nullptr});
  auto& heard = entry->heard;
  if (heard.empty() || heard.back() != Over{core, segment + 1})
    heard.push_back({core, segment + 1});
}

// What cores tell each other follows from what they heard before: in the order of how often they
// heard, a second time over shows that nothing changes any more.
void CoreOrder::settle() {
  for (bool changed = true; changed;) {
    changed = false;
    struct Next {
      int64_t core;
      Entries::iterator at, end;
      const Clock* before;
    };
    std::vector<Next> nexts;
    for (size_t core = 0; core < entries_.size(); ++core) {
      Entries& entries = entries_[core];
      if (entries.empty()) continue;
      nexts.push_back({int64_t(core), entries.begin(), entries.end(), nullptr});
    }
    while (!nexts.empty()) {
      for (Next& next : nexts) {
        changed |= update(next.core, next.before, *next.at);
        next.before = next.at->clock.get();
        ++next.at;
      }
      std::erase_if(nexts, [](const Next& next) { return next.at == next.end; });
    }
  }
}

bool CoreOrder::update(int64_t core, const Clock* before, Entry& entry) {
  // What a core has behind it itself is no news to anybody, but makes clocks alike.
  const std::vector<uint32_t>& told = told_[size_t(core)];
  const auto later = std::ranges::lower_bound(told, entry.segment);
  if (later != told.begin()) learn(Over{core, *std::prev(later) + 1});
  const Clock* learnt = before;
  if (before != nullptr) learn(*before);
  if (entry.clock != nullptr) learn(*entry.clock);
  for (const Over& over : entry.heard) {
    learn(over);
    const Clock* clock = clock_at(over.core, over.segments - 1);
    if (clock == nullptr || clock == learnt) continue;
    learn(*clock);
    learnt = clock;
  }
  std::ranges::sort(in_it_);
  Clock clock;
  clock.reserve(in_it_.size());
  for (const int64_t known : in_it_) {
    clock.push_back({known, std::exchange(made_[size_t(known)], 0)});
  }
  in_it_.clear();
  if (entry.clock != nullptr && clock == *entry.clock) return false;
  if (last_ == nullptr || clock != *last_) last_ = std::make_shared<Clock>(std::move(clock));
  entry.clock = last_;
  return true;
}

void CoreOrder::learn(const Clock& clock) {
  for (const Over& over : clock) learn(over);
}

void CoreOrder::learn(const Over& over) {
  uint32_t& made = made_[size_t(over.core)];
  if (made == 0) in_it_.push_back(over.core);
  made = std::max(made, over.segments);
}

uint32_t CoreOrder::segments_of(const Clock& clock, int64_t core) {
  const auto at = std::ranges::lower_bound(clock, core, {}, &Over::core);
  return at == clock.end() || at->core != core ? 0 : at->segments;
}

const CoreOrder::Clock* CoreOrder::clock_at(int64_t core, uint32_t segment) const {
  const Entries& entries = entries_[size_t(core)];
  const auto after = std::ranges::upper_bound(entries, segment, {}, &Entry::segment);
  return after == entries.begin() ? nullptr : std::prev(after)->clock.get();
}

uint32_t CoreOrder::known(int64_t core, uint32_t segment, int64_t other) const {
  const Clock* clock = clock_at(core, segment);
  return clock == nullptr ? 0 : segments_of(*clock, other);
}

uint32_t CoreOrder::first_behind(int64_t core, int64_t other, uint32_t segment) const {
  // What a core knows never becomes less.
  const Entries& entries = entries_[size_t(core)];
  const auto found = std::ranges::partition_point(
      entries, [&](const Entry& entry) { return segments_of(*entry.clock, other) <= segment; });
  return found == entries.end() ? ~0u : found->segment;
}

}  // namespace vinci
