#include "tool/uncleaned_words.h"

#include <algorithm>
#include <map>
#include <utility>

namespace vinci {
namespace {

using Touch = GmTrace::Touch;

bool is_word(const GmUse& use) { return use.touch->changes() && use.site().who == "SetValue"; }
bool is_look(const GmUse& use) {
  return use.touch->is(GmTrace::kLooked) && !use.touch->is(GmTrace::kWrites);
}

// Some of what all cores did, by the first byte.
class Words {
 public:
  Words(std::span<const GmTrace> traces, bool (*is_one)(const GmUse&)) {
    for (const GmTrace& trace : traces) {
      for (const Touch& touch : trace.touches) {
        const GmUse use{&touch, &trace};
        if (is_one(use)) words_.push_back(use);
      }
    }
    std::ranges::sort(
        words_, {}, [](const GmUse& use) { return std::pair(use.touch->piece.first, use.core()); });
    for (const GmUse& use : words_) {
      longest_ = std::max(longest_, use.touch->piece.end - use.touch->piece.first);
    }
  }

  template <class F>
  void for_each_that_meets(Interval where, F f) const {
    const uint64_t from = where.first - std::min(where.first, longest_);
    auto at = std::ranges::lower_bound(words_, from, {},
                                       [](const GmUse& use) { return use.touch->piece.first; });
    for (; at != words_.end() && at->touch->piece.first < where.end; ++at) {
      if (at->touch->piece.end > where.first) f(*at);
    }
  }

 private:
  std::vector<GmUse> words_;
  uint64_t longest_ = 0;
};

// The reader knows that the word was written, and not that it has left the cache since.
bool is_stale(const GmUse& word, const GmUse& reader, const CoreOrder& by_flags,
              const CoreOrder& order) {
  const auto known_by = [&](const CoreOrder& some) {
    return some.known(reader.core(), reader.touch->segment, word.core());
  };
  if (known_by(by_flags) <= word.touch->told) return false;
  const std::vector<uint32_t>& cleans = word.trace->cleans;
  const auto clean = std::ranges::lower_bound(cleans, word.touch->segment);
  return clean == cleans.end() || *clean >= known_by(order);
}

// A copy of what SetValue wrote before the core wrote another word, which the reader had seen by
// then.
class Handed {
 public:
  Handed(std::span<const GmTrace> traces, const CoreOrder& order, std::span<const SeenWord> seen)
      : order_(order), looks_(seen.empty() ? std::span<const GmTrace>() : traces, is_look) {
    for (const SeenWord& one : seen) seen_[{one.word.core(), one.look.core()}].push_back(one);
  }

  bool is_stale(const GmUse& word, const GmUse& reader) const {
    const auto seen = seen_.find({word.core(), reader.core()});
    if (seen == seen_.end() || is_look(reader)) return false;
    if (word.trace->last_clean >= int64_t(word.touch->segment)) return false;
    const uint32_t known = order_.known(word.core(), word.touch->segment, reader.core());
    if (known > reader.touch->told) return false;
    const auto hands_on = [&](const SeenWord& one) {
      return word.touch->turn < one.word.touch->turn && one.look.touch->turn < reader.touch->turn;
    };
    if (std::ranges::none_of(seen->second, hands_on)) return false;
    bool looks = false;  // it may wait for the word itself
    looks_.for_each_that_meets(word.touch->where(), [&](const GmUse& look) {
      looks = looks || look.core() == reader.core();
    });
    return !looks;
  }

 private:
  const CoreOrder& order_;
  const Words looks_;
  std::map<std::pair<int64_t, int64_t>, std::vector<SeenWord>> seen_;
};

}  // namespace

std::vector<GmPair> uncleaned_words(std::span<const GmTrace> traces, const CoreOrder& by_flags,
                                    const CoreOrder& order, std::span<const SeenWord> seen) {
  const Words words(traces, is_word);
  const Handed handed(traces, order, seen);
  std::map<std::pair<Origin, Origin>, size_t> known;
  std::vector<GmPair> found;
  for (const GmTrace& trace : traces) {
    for (const Touch& touch : trace.touches) {
      const GmUse reader{&touch, &trace};
      if (touch.is(GmTrace::kWrites)) continue;
      words.for_each_that_meets(touch.where(), [&](const GmUse& word) {
        if (word.core() == reader.core()) return;
        if (!is_stale(word, reader, by_flags, order) && !handed.is_stale(word, reader)) return;
        const auto [at, is_new] =
            known.try_emplace({reader.site().origin, word.site().origin}, found.size());
        if (is_new) found.push_back({reader, word, common(reader, word), Pipe::kNone, {}});
        found[at->second].cores.insert({reader.core(), word.core()});
      });
    }
  }
  return found;
}

}  // namespace vinci
