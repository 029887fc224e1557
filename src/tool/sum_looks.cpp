#include "tool/sum_looks.h"

#include <algorithm>
#include <utility>

namespace vinci {

using Touch = GmTrace::Touch;

SumLooks::SumLooks(std::span<const GmTrace> traces, const CoreOrder& order) : order_(order) {
  if (std::ranges::all_of(traces, [](const GmTrace& trace) { return trace.sums.empty(); })) return;
  for (const GmTrace& trace : traces) add_looks(trace);
  for (const GmTrace& trace : traces) add_sums(trace);
}

void SumLooks::add_looks(const GmTrace& trace) {
  uint32_t& last_write = last_writes_[trace.core];
  for (const Touch& touch : trace.touches) {
    if (touch.is(GmTrace::kWrites)) last_write = std::max(last_write, touch.turn);
    if (!touch.is(GmTrace::kLooked)) continue;
    for (uint64_t line = touch.piece.first / kLine; line * kLine < touch.piece.end; ++line) {
      lines_[line].looks[trace.core].push_back({touch.segment, touch.when});
    }
  }
  for (auto& [number, line] : lines_) {
    const auto own = line.looks.find(trace.core);
    if (own == line.looks.end()) continue;
    std::ranges::stable_sort(own->second, {}, &Look::segment);
    uint64_t latest = 0;
    for (Look& look : own->second) look.when = latest = std::max(latest, look.when);
  }
}

void SumLooks::add_sums(const GmTrace& trace) {
  for (const GmTrace::Sum& sum : trace.sums) {
    auto at = lines_.lower_bound(sum.where.first / kLine);
    for (; at != lines_.end() && at->first * kLine < sum.where.end; ++at) {
      at->second.sums[trace.core].push_back(sum);
    }
  }
}

// What the sum made of these bytes, of one line.
SumLooks::Kind SumLooks::kind_of(const GmUse& sum, Interval where) const {
  const Line& line = lines_.at(where.first / kLine);
  const auto sums = line.sums.find(sum.core());
  if (sums == line.sums.end()) return Kind::kNone;
  Kind kind = Kind::kNone;
  for (const GmTrace::Sum& one : sums->second) {
    const Interval changed{std::max(one.where.first, where.first),
                           std::min(one.where.end, where.end)};
    if (one.segment != sum.touch->segment || changed.first >= changed.end) continue;
    const bool counts = changed.first < one.fractions.first || one.fractions.end < changed.end;
    kind = std::max(kind, counts ? Kind::kCounts : Kind::kNumbers);
  }
  return kind;
}

// Of those that do not come behind the sum in any case.
uint64_t SumLooks::last_look(const Line& line, const GmUse& look, const GmUse& sum) const {
  const uint32_t behind = order_.first_behind(look.core(), sum.core(), sum.touch->told);
  const std::vector<Look>& looks = line.looks.at(look.core());
  const auto end = std::ranges::lower_bound(looks, behind, {}, &Look::segment);
  return end == looks.begin() ? 0 : std::prev(end)->when;
}

// Of another core, which is not over in any case when the look begins.
uint64_t SumLooks::first_sum(const Line& line, const GmUse& look) const {
  uint64_t first = ~uint64_t{0};
  for (const auto& [core, sums] : line.sums) {
    if (core == look.core()) continue;
    const uint32_t known = order_.known(look.core(), look.touch->segment, core);
    const auto at = std::ranges::lower_bound(sums, known, {}, &GmTrace::Sum::segment);
    if (at != sums.end()) first = std::min(first, at->when);
  }
  return first;
}

bool SumLooks::are_cleaned_for(const GmTrace& trace) const {
  if (trace.clean_turns.empty()) return true;
  if (lines_.empty() || trace.cleans_in_a_row) return false;
  std::vector<std::pair<uint32_t, const Touch*>> turns;
  for (const Touch& touch : trace.touches) turns.push_back({touch.turn, &touch});
  std::ranges::sort(turns);
  return std::ranges::all_of(trace.clean_turns, [&](uint32_t turn) {
    const auto next =
        std::ranges::upper_bound(turns, turn, {}, [](const auto& one) { return one.first; });
    return next != turns.end() && next->second->is(GmTrace::kLooked) &&
           meets_sums({next->second, &trace});
  });
}

// All that the core looked at is what others added to.
bool SumLooks::meets_sums(const GmUse& look) const {
  if (look.touch->is(GmTrace::kWrites)) return false;
  const Interval where = look.touch->where();
  for (uint64_t number = where.first / kLine; number * kLine < where.end; ++number) {
    const Interval part{std::max(where.first, number * kLine),
                        std::min(where.end, (number + 1) * kLine)};
    const bool meets = std::ranges::any_of(lines_.at(number).sums, [&](const auto& one) {
      return one.first != look.core() && std::ranges::any_of(one.second, [&](const auto& sum) {
               return sum.where.first <= part.first && part.end <= sum.where.end;
             });
    });
    if (!meets) return false;
  }
  return true;
}

bool SumLooks::may_wait(const GmUse& look, const GmUse& sum) const {
  const Interval where = common(look, sum);
  Kind kind = Kind::kNone;
  for (uint64_t at = where.first; at < where.end; at = (at / kLine + 1) * kLine) {
    kind = std::max(kind, kind_of(sum, {at, std::min((at / kLine + 1) * kLine, where.end)}));
  }
  if (kind != Kind::kCounts) return kind == Kind::kNone;
  if (last_writes_.at(look.core()) < look.touch->turn) return true;
  for (uint64_t at = where.first / kLine; at * kLine < where.end; ++at) {
    const Line& line = lines_.at(at);
    if (last_look(line, look, sum) >= first_sum(line, look)) return true;
  }
  return false;
}

}  // namespace vinci
