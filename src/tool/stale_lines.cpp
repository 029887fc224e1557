#include "tool/stale_lines.h"

#include <algorithm>
#include <map>
#include <utility>

namespace vinci {
namespace {

using Touch = GmTrace::Touch;

// A look at a line that the core had in its cache by then: since `first`, at the latest.
struct Again {
  GmUse look, first;
  Interval where;  // of the line
};

bool is_get_value(const GmUse& use) {
  return use.touch->is(GmTrace::kLooked) && !use.touch->is(GmTrace::kWrites) &&
         use.site().who == "GetValue";
}

// In the order of the segments, of each line.
std::map<uint64_t, std::vector<GmUse>> looks_of(const GmTrace& trace) {
  std::map<uint64_t, std::vector<GmUse>> lines;
  for (const Touch& touch : trace.touches) {
    const GmUse use{&touch, &trace};
    if (!is_get_value(use)) continue;
    for (uint64_t line = touch.piece.first / kScalarCacheLine;
         line * kScalarCacheLine < touch.piece.end; ++line) {
      lines[line].push_back(use);
    }
  }
  for (auto& [line, looks] : lines) {
    std::ranges::stable_sort(looks, {}, [](const GmUse& use) { return use.touch->segment; });
  }
  return lines;
}

// The cache has what is there.
bool shows_nothing(const Again& again) {
  const Interval both = common(again.look, again.first);
  return both.first < both.end && !Written::differ(again.look.written(), again.look.touch->piece,
                                                   again.first.written(), again.first.touch->piece);
}

bool is_clean_between(const GmTrace& trace, const GmUse& one, const GmUse& other) {
  const auto clean = std::ranges::lower_bound(trace.clean_turns, one.touch->turn);
  return clean != trace.clean_turns.end() && *clean < other.touch->turn;
}

void add_again(const GmTrace& trace, std::vector<Again>& all) {
  for (const auto& [line, looks] : looks_of(trace)) {
    const GmUse* first = nullptr;
    for (const GmUse& look : looks) {
      if (first == nullptr || is_clean_between(trace, *first, look)) {
        first = &look;
      } else if (first->touch->segment < look.touch->segment) {
        all.push_back({look,
                       *first,
                       {std::max(look.touch->piece.first, line * kScalarCacheLine),
                        std::min(look.touch->piece.end, (line + 1) * kScalarCacheLine)}});
      }
    }
  }
}

}  // namespace

std::vector<GmPair> stale_lines(std::span<const GmTrace> traces, const CoreOrder& by_flags) {
  std::vector<Again> all;
  for (const GmTrace& trace : traces) add_again(trace, all);
  std::ranges::stable_sort(all, {}, [](const Again& one) { return one.where.first; });
  std::map<std::pair<Origin, Origin>, size_t> known;
  std::vector<GmPair> found;
  const auto comes_before = [&](const GmUse& one, const GmUse& other) {
    return by_flags.known(other.core(), other.touch->segment, one.core()) > one.touch->told;
  };
  for (const GmTrace& trace : traces) {
    for (const Touch& touch : trace.touches) {
      const GmUse writer{&touch, &trace};
      if (!writer.writes() || writer.site().pipe == Pipe::kS) continue;
      const uint64_t from = touch.piece.first - std::min(touch.piece.first, kScalarCacheLine);
      auto at =
          std::ranges::lower_bound(all, from, {}, [](const Again& one) { return one.where.first; });
      for (; at != all.end() && at->where.first < touch.piece.end; ++at) {
        if (at->where.end <= touch.piece.first || at->look.core() == trace.core) continue;
        if (shows_nothing(*at)) continue;
        if (!comes_before(at->first, writer) || !comes_before(writer, at->look)) continue;
        const auto [pair, is_new] =
            known.try_emplace({at->look.site().origin, writer.site().origin}, found.size());
        if (is_new) found.push_back({at->look, writer, common(at->look, writer), Pipe::kNone, {}});
        found[pair->second].cores.insert({at->look.core(), trace.core});
      }
    }
  }
  return found;
}

}  // namespace vinci
