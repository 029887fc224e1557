#include "tool/made_counter.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "kernel/special_numbers.h"
#include "numeric/dtype.h"
#include "tool/columns.h"

namespace vinci {
namespace {

Made specials_in(CoreView& core, const Region& region) {
  Made found;
  const DType dtype = region.operand.dtype;
  if (!is_float(dtype)) return found;
  const uint8_t* memory = region.space == Space::kGm ? nullptr : core.bytes_of(region.space).data();
  const uint64_t width = bits_of(dtype) / 8;
  region.for_each_block([&](Interval block) {
    const auto* from =
        memory == nullptr ? reinterpret_cast<const uint8_t*>(block.first) : memory + block.first;
    const auto [infinities, nans] = special_numbers(from, (block.end - block.first) / width, dtype);
    found.add({infinities, nans, 0});
  });
  return found;
}

// f(region) for what is read, and will not be there when the step has run, until it says true.
template <class F>
bool any_overwritten(const Step& step, F f) {
  for (const Region& written : step.regions) {
    if (written.access != Access::kWrite) continue;
    const Interval span{written.first(), written.end()};
    for (const Region& read : step.regions) {
      const bool meets = read.access != Access::kWrite && read.space == written.space &&
                         read.first() < span.end && span.first < read.end();
      if (meets && f(read)) return true;
    }
  }
  return false;
}

// The largest and smallest number of a type that conversions clamp to.
bool range_of(DType dtype, double& low, double& high) {
  const auto is = [&](double first, double last) {
    low = first;
    high = last;
    return true;
  };
  switch (dtype) {
    case DType::kInt4: return is(-8, 7);
    case DType::kInt8: return is(-128, 127);
    case DType::kUint8: return is(0, 255);
    case DType::kInt16: return is(-32768, 32767);
    case DType::kInt32: return is(-0x1p31, 0x1p31 - 1);
    case DType::kHalf: return is(-65504, 65504);
    default: return false;
  }
}

// Of a conversion whose source is still there.
uint64_t saturated(CoreView& core, const Step& step) {
  std::vector<Column> sources, results;
  collect(core, step, Access::kWrite, results);
  double low = 0, high = 0;
  if (results.size() != 1 || !range_of(results[0].operand.dtype, low, high)) return 0;
  const auto& values = results[0].values;
  if (std::ranges::none_of(values, [&](double v) { return v <= low || v >= high; })) return 0;
  collect(core, step, Access::kRead, sources);
  if (sources.size() != 1 || sources[0].values.size() != values.size()) return 0;
  uint64_t count = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double source = sources[0].values[i];
    const bool is_beyond = source <= low - 1 || source >= high + 1;
    count += std::isfinite(source) && is_beyond && (values[i] == low || values[i] == high);
  }
  return count;
}

}  // namespace

void MadeCounter::before_run(CoreView& core, const Step& step) {
  if (instruction_ != step.record.instruction) {
    instruction_ = step.record.instruction;
    makes_numbers_ = makes_numbers(step.record);
    narrows_ = mnemonic_of(step.record) == "cast";
  }
  counts_ = makes_numbers_ && !step.moves() && !any_overwritten(step, [&](const Region& region) {
              return !specials_in(core, region).empty();
            });
}

void MadeCounter::after_run(CoreView& core, const Step& step) {
  if (!counts_) return;
  Made made;
  for (const Region& region : step.regions) {
    if (region.access == Access::kWrite) made.add(specials_in(core, region));
  }
  if (narrows_) made.saturated = saturated(core, step);
  if (made.empty()) return;
  const bool finite = std::ranges::all_of(step.regions, [&](const Region& region) {
    const auto is_it = [&](const Region& other) { return &other == &region; };
    return region.access == Access::kWrite || any_overwritten(step, is_it) ||
           specials_in(core, region).empty();
  });
  if (finite) made_.add(made);
}

}  // namespace vinci
