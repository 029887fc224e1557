#include "report/nearest.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace vinci {
namespace {

constexpr size_t kShortestPart = 4;  // letters that say enough of a longer name

std::string in_small_letters(std::string_view word) {
  std::string small(word);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
  return small;
}

// Letters that are wrong, missing, too many, or exchanged with the next.
size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> steps(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        steps[i][j] = i + j;
        continue;
      }
      const size_t same = a[i - 1] == b[j - 1] ? 0 : 1;
      steps[i][j] =
          std::min({steps[i - 1][j] + 1, steps[i][j - 1] + 1, steps[i - 1][j - 1] + same});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        steps[i][j] = std::min(steps[i][j], steps[i - 2][j - 2] + 1);
      }
    }
  }
  return steps[a.size()][b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names) {
  const std::string wanted = in_small_letters(word);
  size_t most = std::max<size_t>(1, wanted.size() / 3);
  std::string_view best;
  for (const std::string_view name : names) {
    const std::string known = in_small_letters(name);
    const size_t apart = distance(wanted, known);
    if (apart > most || apart == known.size() || (apart == most && !best.empty())) continue;
    best = name;
    most = apart;
  }
  if (best.empty() && wanted.size() >= kShortestPart) {
    const auto found = std::ranges::find_if(names, [&](std::string_view name) {
      return in_small_letters(name).find(wanted) != std::string::npos;
    });
    if (found != names.end()) best = *found;
  }
  return best.empty() ? "" : fmt::format("; did you mean {}?", best);
}

}  // namespace vinci
