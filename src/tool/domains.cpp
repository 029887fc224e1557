// Numbers outside of what a function of the library is documented for.
#include "tool/domains.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "core/instruction.h"
#include "tool/is_record.h"
#include "vinci/record/library.h"

namespace vinci {
namespace {

// low..high, without the ends if `open`; above 0 and, with the sign changed, below it if `both`.
struct Domain {
  std::string_view function, source;  // the function's mnemonic, the operand's name
  double low, high;
  std::string_view text;
  bool open = false, both = false;
  ArchSet chips = ~ArchSet(0);

  bool has(double x) const {
    if (both) x = std::fabs(x);
    return open ? x > low && x < high : x >= low && x <= high;
  }
};
// What becomes an int32 on the way.
constexpr double kMostInt = 2147483647;
constexpr std::string_view kIntText = "-2147483647..2147483647";
constexpr Domain kDomains[] = {
    {"sine", "src", -65504, 65504, "-65504..65504"},
    {"cosine", "src", -65504, 65504, "-65504..65504"},
    {"tan", "src", -65504, 65504, "between -65504 and 65504", true},
    {"asin", "src", -1, 1, "-1..1"},
    {"acos", "src", -1, 1, "-1..1"},
    {"asinh", "src", -65504, 65504, "-65504..65504"},
    {"acosh", "src", 1, 65504, "1..65504"},
    {"atanh", "src", 0.001, 0.99, "between 0.001 and 0.99, or -0.99 and -0.001", true, true},
    {"log_soft_max", "src", -kMostInt, kMostInt, kIntText},
    {"reduce_any", "src", 0, 1, "0 or 1"},
    {"reduce_all", "src", 0, 1, "0 or 1"},
    {"group_norm", "gamma", -100, 100, "-100..100"},
    {"group_norm", "beta", -100, 100, "-100..100"},
    {"ceil", "src", -kMostInt, kMostInt, kIntText, false, false, kArch2002},
    {"floor", "src", -kMostInt, kMostInt, kIntText, false, false, kArch2002},
    {"trunc", "src", -kMostInt, kMostInt, kIntText, false, false, kArch2002},
    {"frac", "src", -kMostInt, kMostInt, kIntText, false, false, kArch2002},
    {"fmod", "src0", -kMostInt, kMostInt, kIntText, false, false, kArch2002},
    {"fmod", "src1", -kMostInt, kMostInt, kIntText, false, false, kArch2002},
};
const Domain* domain_of(const Step& step, std::string_view source) {
  const std::string_view function = mnemonic_of(step.record);
  for (const Domain& domain : kDomains) {
    const bool here = (domain.chips & step.soc.arch->bit) != 0;
    if (here && domain.function == function && domain.source == source) return &domain;
  }
  return nullptr;
}
// ReduceAny and ReduceAll take nothing between.
bool is_truth(const Record& record) {
  return mnemonic_of(record) == "reduce_any" || mnemonic_of(record) == "reduce_all";
}

}  // namespace

void judge_domain(CoreView& core, const Step& step, const Column& source) {
  if (!is<LibraryRecord>(step.record)) return;
  const Domain* const domain = domain_of(step, source.name);
  if (domain == nullptr) return;
  size_t first = 0, count = 0;
  for (size_t i = 0; i < source.values.size(); ++i) {
    const double x = source.values[i];
    const bool legal = domain->has(x) && (!is_truth(step.record) || x == std::floor(x));
    if (!std::isfinite(x) || legal) continue;
    if (count++ == 0) first = i;
  }
  if (count == 0) return;
  core.note(Code::kOutsideDomain,
            fmt::format("{}: {}[{}] is {}{}", core.who(), source.name, source.index_of(first),
                        source.values[first],
                        count == 1 ? "" : fmt::format("; {} elements in all", count)),
            std::string(domain->text));
}

}  // namespace vinci
