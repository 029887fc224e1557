// A sweep over what all cores touched, in the order of the addresses.
#include "tool/block_races.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "core/footprint.h"
#include "tool/block_race_text.h"
#include "tool/stale_lines.h"
#include "tool/sum_looks.h"
#include "tool/uncleaned_words.h"

namespace vinci {
namespace {

using Touch = GmTrace::Touch;

bool differ(const GmUse& one, const GmUse& other) {
  return Written::differ(one.written(), one.touch->piece, other.written(), other.touch->piece);
}

// Whether the order of two that touch the same bytes shows.
bool conflict(const GmUse& one, const GmUse& other) {
  if (!one.writes() && !other.writes()) return false;
  if (one.touch->is(GmTrace::kCombines) && other.touch->is(GmTrace::kCombines)) return false;
  constexpr uint8_t kBoth = GmTrace::kWrites | GmTrace::kKept;
  return !one.touch->is(kBoth) || !other.touch->is(kBoth) || differ(one, other);
}

// Whether scalar code of one core may have waited for the word that the other one wrote: then it
// has seen that.
bool may_wait(const SumLooks& sums, const GmUse& one, const GmUse& other) {
  if (!one.touch->is(GmTrace::kLooked) || !other.writes()) return false;
  if (other.touch->is(GmTrace::kCombines)) return sums.may_wait(one, other);
  const bool many = ((one.touch->how | other.touch->how) & GmTrace::kMany) != 0;
  return other.touch->is(GmTrace::kWord) && (many || !differ(one, other));
}

// Words that a core wrote again and again, and those at which it looked until they were
// others.
void mark_many(GmTrace& trace) {
  const auto for_words = [&](auto f) {
    for (Touch& touch : trace.touches) {
      const bool looks = touch.is(GmTrace::kLooked);
      if (touch.is(GmTrace::kKept) && (looks || touch.is(GmTrace::kWord))) {
        f(std::tuple(looks, touch.piece.first, touch.piece.end), touch);
      }
    }
  };
  struct Word {
    const Touch* touch;
    bool many;
  };
  std::map<std::tuple<bool, uint64_t, uint64_t>, Word> words;
  for_words([&](auto key, Touch& touch) {
    const auto [at, is_new] = words.try_emplace(key, Word{&touch, touch.is(GmTrace::kMany)});
    if (is_new) return;
    at->second.many = at->second.many || touch.is(GmTrace::kMany) ||
                      Written::differ(trace.written(*at->second.touch), at->second.touch->piece,
                                      trace.written(touch), touch.piece);
  });
  for_words([&](auto key, Touch& touch) {
    if (words.at(key).many) touch.how |= GmTrace::kMany;
  });
}

// Finds pairs that nothing orders.
class Sweep {
 public:
  explicit Sweep(std::span<const GmTrace> traces) : order_(traces) {
    for (const GmTrace& trace : traces) {
      for (const Touch& touch : trace.touches) uses_.push_back({&touch, &trace});
    }
    std::ranges::sort(uses_, {}, [](const GmUse& use) {
      return std::tuple(use.touch->piece.first, use.touch->piece.end, use.core(), use.touch);
    });
    uint64_t reach = 0;
    for (const GmUse& use : uses_) {
      reach = std::max(reach, use.touch->piece.end);
      reach_.push_back(reach);
    }
  }

  CoreOrder& order() { return order_; }

  // Whether a core reads the same in whatever order: all that is ever written where both meet are
  // the same bytes, and once they are written before.
  bool reads_the_same(const GmUse& writer, const GmUse& reader) const {
    const Interval where = common(writer, reader);
    bool before = false;
    for (auto at = std::ranges::lower_bound(uses_, where.end, {}, first_of); at != uses_.begin();) {
      --at;
      if (reach_[size_t(at - uses_.begin())] <= where.first) break;
      const GmUse& use = *at;
      if (!use.touch->is(GmTrace::kWrites) || use.touch->piece.end <= where.first) continue;
      const bool known = use.touch->is(GmTrace::kKept) && !use.touch->is(GmTrace::kMany);
      if (!known || differ(writer, use)) return false;
      before = before || (use.touch->piece.first <= where.first &&
                          where.end <= use.touch->piece.end && comes_before(use, reader));
    }
    return before;
  }

  bool comes_before(const GmUse& one, const GmUse& other) const {
    return one.core() == other.core()
               ? one.touch->segment < other.touch->segment
               : order_.known(other.core(), other.touch->segment, one.core()) > one.touch->told;
  }

  // Whether the one core told the other in time, but not of this.
  bool is_told_late(const GmUse& one, const GmUse& other) const {
    return one.touch->is_late() &&
           one.touch->segment < order_.known(other.core(), other.touch->segment, one.core());
  }

  // Calls found(GmUse, GmUse) for each two, once; of two cores the first is the lower one.
  template <class F>
  void run(F found) {
    forget();
    for (const GmUse& use : uses_) {
      while (!ends_.empty() && ends_.top().first <= use.touch->piece.first) end();
      const auto meet = [&](const GmUse& other) {
        other.core() < use.core() ? found(other, use) : found(use, other);
      };
      for_each_unordered(writes_, use, meet);
      const bool writes = use.touch->is(GmTrace::kWrites);
      if (writes) for_each_unordered(reads_, use, meet);
      const bool late = use.touch->is_late();
      auto& active = (writes ? writes_ : reads_)[use.core()].uses[late];
      ends_.push(
          {use.touch->piece.end, {use.core(), writes, late, active.emplace(use.touch->told, use)}});
    }
  }

 private:
  using Uses = std::multimap<uint32_t, GmUse>;  // by the segment at whose end others were told
  // Of one core: what it told of at the end of its segment, and what it told of later.
  struct Active {
    Uses uses[2];

    bool empty() const { return uses[0].empty() && uses[1].empty(); }
  };
  using Actives = std::map<int64_t, Active>;
  struct Place {
    int64_t core;
    bool writes, late;
    Uses::iterator at;
  };
  struct EndsLater {
    bool operator()(const auto& one, const auto& other) const { return one.first > other.first; }
  };

  static uint64_t first_of(const GmUse& use) { return use.touch->piece.first; }

  void forget() {
    writes_.clear();
    reads_.clear();
    ends_ = {};
  }
  void end() {
    const Place& place = ends_.top().second;
    Actives& actives = place.writes ? writes_ : reads_;
    const auto active = actives.find(place.core);
    active->second.uses[place.late].erase(place.at);
    if (active->second.empty()) actives.erase(active);
    ends_.pop();
  }

  template <class F>
  void for_each_unordered(const Actives& actives, const GmUse& use, F f) const {
    for (const auto& [core, active] : actives) {
      if (core == use.core()) continue;
      const uint32_t end = order_.first_behind(core, use.core(), use.touch->told);
      const uint32_t known = order_.known(use.core(), use.touch->segment, core);
      const auto& [in_time, late] = active.uses;
      auto at = in_time.lower_bound(known);
      for (; at != in_time.end() && at->first < end; ++at) f(at->second);
      for (at = late.lower_bound(known); at != late.end(); ++at) {
        if (at->second.touch->segment < end) f(at->second);
      }
    }
  }

  CoreOrder order_;
  std::vector<GmUse> uses_;      // by their first byte
  std::vector<uint64_t> reach_;  // the furthest end of each and those before it
  Actives writes_, reads_;
  std::priority_queue<std::pair<uint64_t, Place>, std::vector<std::pair<uint64_t, Place>>,
                      EndsLater>
      ends_;
};

// A word and a look at it: core, segment, core, segment.
using Word = std::tuple<int64_t, uint32_t, int64_t, uint32_t>;

// A core cleans the scalar unit's cache for words that it writes, or to look at some. Without a
// SetValue, or without a GetValue, it may do so by a pointer, which nobody sees.
void add_pointers(std::span<const GmTrace> traces, std::set<Word>& words) {
  struct Moment {
    int64_t core;
    uint32_t segment;
    bool by_pointer;
  };
  std::vector<Moment> writes, looks;
  for (const GmTrace& trace : traces) {
    int64_t wrote = -1, looked = -1;
    for (const Touch& touch : trace.touches) {
      if (touch.is(GmTrace::kWord)) wrote = std::max<int64_t>(wrote, touch.segment);
      if (touch.is(GmTrace::kLooked) && looked < 0) looked = touch.segment;
    }
    if (wrote >= 0) writes.push_back({trace.core, uint32_t(wrote), false});
    if (looked >= 0) looks.push_back({trace.core, uint32_t(looked), false});
    if (trace.last_clean < 0) continue;
    if (!trace.writes_scalars) writes.push_back({trace.core, uint32_t(trace.last_clean), true});
    if (!trace.reads_scalars) looks.push_back({trace.core, uint32_t(trace.first_clean), true});
  }
  for (const Moment& write : writes) {
    for (const Moment& look : looks) {
      if (write.core == look.core || !(write.by_pointer || look.by_pointer)) continue;
      words.insert({write.core, write.segment, look.core, look.segment});
    }
  }
}

// Looks of scalar code, and words that were not there yet: no pointer has waited for those.
std::vector<std::pair<GmUse, GmUse>> looks_too_early(Sweep& sweep) {
  std::vector<std::pair<GmUse, GmUse>> early;
  const auto add = [&](const GmUse& look, const GmUse& word) {
    constexpr uint8_t kLook = GmTrace::kLooked | GmTrace::kKept;
    constexpr uint8_t kWritten = GmTrace::kWord | GmTrace::kKept;
    const bool many = ((look.touch->how | word.touch->how) & GmTrace::kMany) != 0;
    const bool combines = word.touch->is(GmTrace::kCombines);
    if (!look.touch->is(kLook) || look.writes() || !word.touch->is(kWritten)) return;
    const bool before = look.touch->when < word.touch->when;
    if (before && !many && !combines && differ(look, word)) early.push_back({look, word});
  };
  sweep.run([&](const GmUse& one, const GmUse& other) {
    add(one, other);
    add(other, one);
  });
  return early;
}

void add(const std::set<Word>& words, CoreOrder& order) {
  for (const auto& [core, segment, other, before] : words) order.add(core, segment, other, before);
  if (!words.empty()) order.settle();
}

struct Learnt {
  std::vector<SeenWord> seen;                  // words that are sure to have been seen
  std::vector<std::pair<GmUse, GmUse>> early;  // looks and words that only pointers may order
};

// Words by which cores may have waited for each other: what came before the word is before
// what comes after the look at it.
Learnt learn_words(std::span<const GmTrace> traces, const SumLooks& sums, Sweep& sweep) {
  std::vector<SeenWord> seen;
  std::set<Word> words;
  const auto look = [&](const GmUse& one, const GmUse& other) {
    if (!may_wait(sums, one, other)) return;
    words.insert({other.core(), other.touch->segment, one.core(), one.touch->segment});
    const bool once = (other.touch->how & (GmTrace::kMany | GmTrace::kCombines)) == 0;
    if (once && other.site().pipe != Pipe::kS && !differ(one, other)) seen.push_back({other, one});
  };
  sweep.run([&](const GmUse& one, const GmUse& other) {
    look(one, other);
    look(other, one);
  });
  add(words, sweep.order());
  const auto is_plain = [&](const GmTrace& trace) { return sums.are_cleaned_for(trace); };
  if (std::ranges::all_of(traces, is_plain)) return {std::move(seen), {}};
  auto early = looks_too_early(sweep);
  words.clear();
  add_pointers(traces, words);
  add(words, sweep.order());
  // The word's core may have waited for the look.
  std::erase_if(early,
                [&](const auto& pair) { return sweep.comes_before(pair.first, pair.second); });
  return {std::move(seen), std::move(early)};
}

// By their first meeting.
void sort(std::vector<GmPair>& list) {
  std::ranges::stable_sort(list, {}, [](const GmPair& f) {
    return std::tuple(f.here.core(), f.where.first, f.there.core());
  });
}

class Findings {
 public:
  Findings(const Sweep& sweep, const SumLooks& sums) : sweep_(sweep), sums_(sums) {}

  // `early`: what was read was not there yet.
  void add(const GmUse& one, const GmUse& other, bool early = false) {
    // The one that only reads is the place of the fault, or else the later core.
    const bool turned = one.writes() && !other.writes();
    const GmUse& here = turned || (one.writes() && other.writes()) ? other : one;
    const GmUse& there = &here == &one ? other : one;
    const auto key =
        std::tuple(number_of(here.site()), number_of(there.site()), here.writes(), there.writes());
    const auto known = findings_.find(key);
    if (known != findings_.end() && known->second.cores.contains({here.core(), there.core()}))
      return;
    if (!conflict(one, other)) return;
    if (may_wait(sums_, one, other) || may_wait(sums_, other, one)) return;
    if (!here.writes() && !early && sweep_.reads_the_same(there, here)) return;
    const Pipe untold = sweep_.is_told_late(there, here)   ? there.site().pipe
                        : sweep_.is_told_late(here, there) ? here.site().pipe
                                                           : Pipe::kNone;
    const GmPair anew{here, there, common(one, other), untold, {}};
    GmPair& finding = findings_.try_emplace(key, anew).first->second;
    const auto rank = [](const GmPair& f) {
      return std::tuple(f.here.core(), f.there.core(), f.where.first);
    };
    if (rank(anew) < rank(finding))
      std::tie(finding.here, finding.there, finding.where, finding.untold) =
          std::tie(anew.here, anew.there, anew.where, anew.untold);
    finding.cores.insert({here.core(), there.core()});
  }

  std::vector<GmPair> list() const {
    std::vector<GmPair> list;
    for (const auto& [key, finding] : findings_) list.push_back(finding);
    sort(list);
    return list;
  }

 private:
  // The same for a line of every core, in the order in which lines are met.
  size_t number_of(const GmTrace::Site& site) {
    return numbers_
        .try_emplace({site.origin, site.operand, site.fault.instruction}, numbers_.size())
        .first->second;
  }

  const Sweep& sweep_;
  const SumLooks& sums_;
  std::map<std::tuple<Origin, std::string_view, std::string>, size_t> numbers_;
  std::map<std::tuple<size_t, size_t, bool, bool>, GmPair> findings_;
};

// What one core's SetValue wrote into one line of the scalar unit's cache. What left bytes as they
// were counts among them: whether another core had written the same before depends on the host.
struct LinePart {
  ByteSet bytes;
  GmUse first, last;
  bool changed = false;  // something, by `last` for the last time
  ByteSet read = {};     // by this core, later than `last`
  ByteSet read_by_others = {};

  // A clean cache after the last write: the line went to GM.
  bool cleaned() const { return last.trace->last_clean >= int64_t(last.touch->segment); }

  // All that is written is meant for this core, which still finds it in its cache, unless the line
  // had to make room for another.
  bool is_own() const {
    ByteSet unread = bytes;
    unread.remove(read);
    return unread.empty() && !bytes.intersects(read_by_others);
  }
};

// Two cores write one line, each its own bytes. A cache writes back whole lines, so that one of
// them undoes what the other did, unless it is told to in time.
class SharedLines {
 public:
  SharedLines(std::span<const GmTrace> traces, const CoreOrder& order) : order_(order) {
    for_each_touch(traces, [&](const GmUse& use) { take_write(use); });
    std::erase_if(lines_, [](const auto& line) { return line.second.size() < 2; });
    for_each_touch(traces, [&](const GmUse& use) { take_read(use); });
  }

  // Where at least one of two cores' words are for others, or, `own`, where none of them are.
  std::vector<GmPair> list(bool own) const {
    std::map<std::pair<Origin, Origin>, GmPair> findings;
    for (const auto& [line, parts] : lines_) {
      for (auto one = parts.begin(); one != parts.end(); ++one) {
        for (auto other = std::next(one); other != parts.end(); ++other) {
          if (!is_lost(one->second, other->second)) continue;
          if (own != (one->second.is_own() && other->second.is_own())) continue;
          const GmUse &there = one->second.first, &here = other->second.first;
          const GmPair anew{here, there, here.touch->where(), Pipe::kNone, {}};
          GmPair& known =
              findings.try_emplace({here.site().origin, there.site().origin}, anew).first->second;
          known.cores.insert({here.core(), there.core()});
        }
      }
    }
    std::vector<GmPair> list;
    for (const auto& [sites, finding] : findings) list.push_back(finding);
    sort(list);
    return list;
  }

 private:
  template <typename F>
  static void for_each_touch(std::span<const GmTrace> traces, F f) {
    for (const GmTrace& trace : traces) {
      for (const Touch& touch : trace.touches) f(GmUse{&touch, &trace});
    }
  }

  void take_write(const GmUse& use) {
    if (!use.touch->is(GmTrace::kWrites) || use.site().who != "SetValue") return;
    const Interval where = use.touch->where();
    for (uint64_t line = where.first / kScalarCacheLine; line * kScalarCacheLine < where.end;
         ++line) {
      const Interval bytes{std::max(where.first, line * kScalarCacheLine),
                           std::min(where.end, (line + 1) * kScalarCacheLine)};
      LinePart& part = lines_[line].try_emplace(use.core(), LinePart{{}, use, use}).first->second;
      part.bytes.add(bytes);
      if (!use.touch->changes()) continue;
      if (!part.changed || use.touch->turn > part.last.touch->turn) part.last = use;
      part.changed = true;
    }
  }
  void take_read(const GmUse& use) {
    if (use.touch->is(GmTrace::kWrites)) return;
    const Interval where = use.touch->where();
    for (auto line = lines_.lower_bound(where.first / kScalarCacheLine);
         line != lines_.end() && line->first * kScalarCacheLine < where.end; ++line) {
      for (auto& [core, part] : line->second) {
        if (core != use.core()) {
          part.read_by_others.add(where);
        } else if (use.touch->turn > part.last.touch->turn) {
          part.read.add(where);
        }
      }
    }
  }
  bool comes_before(const LinePart& one, const LinePart& other) const {
    return order_.known(other.first.core(), other.first.touch->segment, one.last.core()) >
           one.last.touch->segment;
  }
  bool is_lost(const LinePart& one, const LinePart& other) const {
    if (!one.changed || !other.changed) return false;
    if (std::ranges::equal(one.bytes.intervals(), other.bytes.intervals())) return false;
    if (comes_before(one, other)) return !one.cleaned();
    if (comes_before(other, one)) return !other.cleaned();
    return !one.cleaned() || !other.cleaned();
  }

  const CoreOrder& order_;
  std::map<uint64_t, std::map<int64_t, LinePart>> lines_;  // by line and core
};

}  // namespace

void BlockRaces::begin() { traces_.clear(); }

void BlockRaces::take(GmTrace&& trace) {
  const std::lock_guard lock(mutex_);
  traces_[trace.core] = std::move(trace);
}

void BlockRaces::finish(const Soc& soc, const GlobalMemory& gm, const Grid& grid,
                        bool pipes_in_order, const std::function<bool(const Fault&)>& tell) {
  if (int64_t(traces_.size()) != grid.cores()) return;
  std::vector<GmTrace> traces;
  for (auto& [core, trace] : traces_) traces.push_back(std::move(trace));
  traces_.clear();
  for (GmTrace& trace : traces) mark_many(trace);
  Sweep sweep(traces);
  const CoreOrder by_flags = sweep.order();
  const SumLooks sums(traces, sweep.order());
  const auto [seen, early] = learn_words(traces, sums, sweep);
  Findings findings(sweep, sums);
  for (const auto& [look, word] : early) findings.add(look, word, true);
  sweep.run([&](const GmUse& one, const GmUse& other) { findings.add(one, other); });
  const BlockRaceText text(soc, gm, grid, pipes_in_order);
  for (const GmPair& finding : findings.list()) {
    if (!tell(text.fault_of(finding))) return;
  }
  // Nobody says how TIK's compiler treats the scalar unit's cache.
  if (pipes_in_order) return;
  if (text.can_clean()) {
    for (const GmPair& finding : uncleaned_words(traces, by_flags, sweep.order(), seen)) {
      if (!tell(text.fault_of_word(finding))) return;
    }
    for (const GmPair& finding : stale_lines(traces, by_flags)) {
      if (!tell(text.fault_of_stale(finding))) return;
    }
  }
  const SharedLines lines(traces, sweep.order());
  for (const bool own : {false, true}) {
    for (const GmPair& finding : lines.list(own)) {
      if (!tell(text.fault_of_line(finding, own))) return;
    }
  }
}

}  // namespace vinci
