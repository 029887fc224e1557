// The walk of a vector instruction over its repeats: it brings the lanes of each operand together,
// has them computed, and stores the enabled ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/memory.h"
#include "isa/family/lanes.h"

namespace vinci::vector {

// Two operands, and dst once more where its old content is a source too.
inline constexpr unsigned kMostSources = 3;

// The operands of one call.
struct View {
  LaneOperand dst;
  std::array<LaneOperand, kMostSources> src;
  unsigned sources;  // how many of src count
  unsigned lanes;    // in a repeat
  // A wider dst may lie over its source where no later repeat reads it: kWiderInPlace.
  bool widens = false;
};

// Lanes 0 to count-1 of each operand, without gaps. dst is the array of a source of equal width or
// apart from all of them.
struct LaneArrays {
  const uint8_t* src[kMostSources];
  uint8_t* dst;
  size_t count;
};

// Such arrays, one for each of several repeats, at equal distances.
struct LaneRows {
  LaneArrays first;
  uint64_t rows;
  uint64_t src_step[kMostSources], dst_step;  // bytes

  // Calls f(arrays) for each row.
  template <class F>
  void for_each(F f) const {
    LaneArrays row = first;
    for (uint64_t i = 0; i < rows; ++i) {
      f(row);
      for (unsigned source = 0; source < kMostSources; ++source) {
        row.src[source] += src_step[source];
      }
      row.dst += dst_step;
    }
  }
};

// Lanes 0..end-1 of a repeat without gaps: where they lie, or brought together in `room`, which has
// kRepeatBytes. `start` is the operand's first byte.
const uint8_t* lanes_of(const Layout& layout, const uint8_t* start, uint64_t repeat, unsigned end,
                        uint8_t* room);

using ComputeRows = void (*)(const void* context, const LaneRows& rows);

// Repeats in ascending order; of each, all sources are read before anything is written. Lanes that
// are not enabled may be computed, and are not stored.
void walk(const View& view, const LanePlan& plan, Memory& memory, ComputeRows compute,
          const void* context);

// The same with a callable compute(rows).
template <class F>
void walk(const View& view, const LanePlan& plan, Memory& memory, const F& compute) {
  const ComputeRows call = [](const void* f, const LaneRows& rows) {
    (*static_cast<const F*>(f))(rows);
  };
  walk(view, plan, memory, call, &compute);
}

}  // namespace vinci::vector
