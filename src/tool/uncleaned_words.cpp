#include "tool/uncleaned_words.h"

#include <algorithm>
#include <map>
#include <utility>

namespace vinci {
namespace {

using Touch = GmTrace::Touch;

// SetValues of all cores, by their first byte.
class Words {
 public:
  explicit Words(std::span<const GmTrace> traces) {
    for (const GmTrace& trace : traces) {
      for (const Touch& touch : trace.touches) {
        const GmUse use{&touch, &trace};
        if (use.writes() && use.site().who == "SetValue") words_.push_back(use);
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

}  // namespace

std::vector<GmPair> uncleaned_words(std::span<const GmTrace> traces, const CoreOrder& by_flags,
                                    const CoreOrder& order) {
  const Words words(traces);
  std::map<std::pair<Origin, Origin>, size_t> known;
  std::vector<GmPair> found;
  for (const GmTrace& trace : traces) {
    for (const Touch& touch : trace.touches) {
      const GmUse reader{&touch, &trace};
      if (touch.is(GmTrace::kWrites)) continue;
      words.for_each_that_meets(touch.where(), [&](const GmUse& word) {
        if (word.core() == reader.core() || !is_stale(word, reader, by_flags, order)) return;
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
