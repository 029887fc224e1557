// The offsets of Gather and Scatter: one for each lane, contiguous whatever the mask. A lane that
// is not enabled does not use its own.
#pragma once

#include <algorithm>

#include "core/footprint.h"
#include "isa/family/lanes.h"

namespace vinci::vector {

// Calls f(repeat, index, offset) for each enabled lane.
template <class F>
void for_each_offset(const uint32_t* offsets, const LanePlan& plan, F f) {
  for (uint64_t repeat = 0; repeat < plan.repeats(); ++repeat) {
    plan.for_each_run(repeat, [&](LaneRun run) {
      const uint64_t first = repeat * plan.lanes();
      for (uint64_t i = first + run.begin; i < first + run.end; ++i) f(repeat, i, offsets[i]);
    });
  }
}

// What the offsets of the enabled lanes have in common.
struct SeenOffsets {
  uint32_t least = UINT32_MAX, most = 0, bits = 0;
};
inline SeenOffsets seen_in(const uint32_t* offsets, const LanePlan& plan) {
  SeenOffsets seen;
  for (uint64_t repeat = 0; repeat < plan.repeats(); ++repeat) {
    plan.for_each_run(repeat, [&](LaneRun run) {
      const uint32_t* lane = offsets + repeat * plan.lanes();
      for (unsigned i = run.begin; i < run.end; ++i) {
        seen.least = std::min(seen.least, lane[i]);
        seen.most = std::max(seen.most, lane[i]);
        seen.bits |= lane[i];
      }
    });
  }
  return seen;
}

// The largest offset of elements of `width` bytes that the chip's index can hold.
inline uint64_t most_offset(unsigned width, const Soc& soc) {
  if (!soc.has(Feature::kGatherNarrowIndex) || width > 2) return UINT32_MAX;
  return 65536 * uint64_t(width) - 1;
}

// The largest one that keeps an element inside UB as well, where offset 0 leads to byte `start`.
// There must be room for that.
inline uint64_t last_offset(uint64_t start, unsigned width, const Soc& soc) {
  return std::min(soc.size_of(Space::kUb) - start - width, most_offset(width, soc));
}

// The bytes of all offsets that enabled lanes use.
inline void add_offsets(Footprint& footprint, const Operand& offsets, const char* name,
                        const LanePlan& plan) {
  Layout layout = layout_of(DType::kUint32, {});
  layout.stride = contiguous(layout, plan.lanes());
  add_lanes(footprint, {&offsets, layout, name}, Access::kRead, plan);
}

}  // namespace vinci::vector
