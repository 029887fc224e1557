// The walk of a vector instruction over its repeats: it brings the lanes of each operand together,
// has them computed, and stores the enabled ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/family/lanes.h"

namespace vinci::vector {

// The operands of one call.
struct View {
  LaneOperand dst;
  std::array<LaneOperand, 2> src;
  unsigned sources;  // how many of src count
  unsigned lanes;    // in a repeat
};

// Lanes 0 to count-1 of each operand, without gaps. dst is the array of a source of equal width or
// apart from all of them.
struct LaneArrays {
  const uint8_t* src[2];
  uint8_t* dst;
  size_t count;
};

using ComputeLanes = void (*)(const void* context, const LaneArrays& arrays);

// Repeats in ascending order; of each, all sources are read before anything is written. Lanes that
// are not enabled may be computed, and are not stored.
void walk(const View& view, const LanePlan& plan, Core& core, ComputeLanes compute,
          const void* context);

// The same with a callable compute(arrays).
template <class F>
void walk(const View& view, const LanePlan& plan, Core& core, const F& compute) {
  walk(
      view, plan, core,
      [](const void* f, const LaneArrays& arrays) { (*static_cast<const F*>(f))(arrays); },
      &compute);
}

}  // namespace vinci::vector
