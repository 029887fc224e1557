#include "tool/made_counter.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

#include "numeric/dtype.h"
#include "tool/columns.h"

namespace vinci {
namespace {

// g++ makes vectors of such loops from O3 on, clang always does.
#if defined(__clang__)
#define VINCI_MADE_OF_VECTORS
#else
#define VINCI_MADE_OF_VECTORS __attribute__((optimize("O3")))
#endif

// How many of `count` numbers have an exponent of ones, and no fraction, or one. Mostly none has.
// As signed integers: the host has instructions for their maximum.
template <class Int, Int exponent>
VINCI_MADE_OF_VECTORS Made special(const uint8_t* from, uint64_t count) {
  const auto magnitude = [&](uint64_t i) {
    Int bits;
    std::memcpy(&bits, from + i * sizeof(bits), sizeof(bits));
    return Int(bits & std::numeric_limits<Int>::max());
  };
  Int largest = 0;
  for (uint64_t i = 0; i < count; ++i) largest = std::max(largest, magnitude(i));
  if (largest < exponent) return {};
  uint64_t all = 0, nans = 0;
  for (uint64_t i = 0; i < count; ++i) {
    all += magnitude(i) >= exponent;
    nans += magnitude(i) > exponent;
  }
  return {all - nans, nans, 0};
}

Made special_numbers(CoreView& core, const Region& region) {
  Made found;
  const DType dtype = region.operand.dtype;
  if (!is_float(dtype)) return found;
  const uint8_t* memory = region.space == Space::kGm ? nullptr : core.bytes_of(region.space).data();
  const uint64_t width = bits_of(dtype) / 8;
  region.for_each_block([&](Interval block) {
    const auto* from =
        memory == nullptr ? reinterpret_cast<const uint8_t*>(block.first) : memory + block.first;
    const uint64_t count = (block.end - block.first) / width;
    found.add(dtype == DType::kFloat  ? special<int32_t, 0x7F800000>(from, count)
              : dtype == DType::kHalf ? special<int16_t, 0x7C00>(from, count)
                                      : special<int16_t, 0x7F80>(from, count));
  });
  return found;
}

bool is_overwritten(const Step& step, const Region& region) {
  return std::ranges::any_of(step.regions, [&](const Region& other) {
    return other.access == Access::kWrite && other.space == region.space &&
           other.first() < region.end() && region.first() < other.end();
  });
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
  counts_ = makes_numbers_ && !step.moves() &&
            std::ranges::all_of(step.regions, [&](const Region& region) {
              return region.access == Access::kWrite || !is_overwritten(step, region) ||
                     special_numbers(core, region).empty();
            });
}

void MadeCounter::after_run(CoreView& core, const Step& step) {
  if (!counts_) return;
  Made made;
  for (const Region& region : step.regions) {
    if (region.access == Access::kWrite) made.add(special_numbers(core, region));
  }
  if (narrows_) made.saturated = saturated(core, step);
  if (made.empty()) return;
  const bool finite = std::ranges::all_of(step.regions, [&](const Region& region) {
    return region.access == Access::kWrite || is_overwritten(step, region) ||
           special_numbers(core, region).empty();
  });
  if (finite) made_.add(made);
}

}  // namespace vinci
