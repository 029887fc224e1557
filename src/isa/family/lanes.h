// Which lanes of which repeats a vector instruction works on: the operand model that all vector
// instructions share.
//
// A repeat is 8 datablocks of 32 B per operand; an operand's block j of repeat r starts at
// 32 * (r * stride.repeat + j * stride.block) bytes. See docs/spec/vector.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/check.h"
#include "core/core.h"
#include "core/footprint.h"
#include "vinci/record/vector.h"

namespace vinci::vector {

inline constexpr unsigned kBlockBytes = 32;
inline constexpr unsigned kRepeatBytes = 256;
inline constexpr unsigned kMostLanes = 128;
inline constexpr Stride kContiguous{1, 8};

// Lanes in one repeat for elements of `width` bytes. 8-bit elements come 128 to a repeat.
constexpr unsigned lanes_per_repeat(unsigned width) {
  return std::min(kMostLanes, kRepeatBytes / width);
}

// The enabled lanes [begin, end) of one repeat, without a gap.
struct LaneRun {
  unsigned begin, end;
};

// `Lanes` resolved for a width: how many repeats, and which lanes each enables.
class LanePlan {
 public:
  LanePlan(const Lanes& lanes, unsigned width);

  uint64_t repeats() const { return repeats_; }
  unsigned lanes() const { return lanes_; }
  bool counted() const { return counted_; }
  uint64_t count() const { return count_; }

  // Calls f(LaneRun) for the runs of enabled lanes in repeat r, in ascending order.
  template <class F>
  void for_each_run(uint64_t r, F f) const {
    if (continuous_ != 0) {
      const bool tail = counted_ && r + 1 == repeats_;
      f(LaneRun{0, tail ? unsigned(count_ - r * lanes_) : continuous_});
      return;
    }
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      if (!enabled(lane)) continue;
      unsigned end = lane + 1;
      while (end < lanes_ && enabled(end)) ++end;
      f(LaneRun{lane, end});
      lane = end;
    }
  }
  // One past the highest lane enabled in repeat r.
  unsigned end_lane(uint64_t r) const {
    unsigned end = 0;
    for_each_run(r, [&](LaneRun run) { end = run.end; });
    return end;
  }

 private:
  bool enabled(unsigned lane) const { return mask_[lane / 64] >> (lane % 64) & 1; }

  uint64_t mask_[2];
  uint64_t count_ = 0;
  uint64_t repeats_;
  unsigned lanes_;
  unsigned continuous_ = 0;  // 0: the bits decide
  bool counted_ = false;
};

// Rules of mask, repeat and count for elements of `width` bytes.
void check_lanes(const Lanes& lanes, unsigned width, Check& check, bool mask_zero_legal);

// An operand of a vector instruction lies in UB, at a datablock.
void check_operand(std::string_view name, const Operand& operand, Check& check);

// Two operands coincide or stay apart within a repeat, and no repeat overwrites what a later one
// reads. `may_accumulate`: a repeat stride of 0 on either is the documented way to accumulate.
void check_overlap(std::string_view dst_name, const Operand& dst, Stride dst_stride,
                   std::string_view src_name, const Operand& src, Stride src_stride,
                   const LanePlan& plan, unsigned width, bool may_accumulate, Check& check);

// The bytes of the enabled lanes.
void add_lanes(Footprint& footprint, const Operand& operand, const char* name, Access access,
               Stride stride, const LanePlan& plan, unsigned width);

// The 8 blocks of one repeat as an array; only blocks below lane `end` are read.
template <class T>
void read_lanes(const uint8_t* operand, Stride stride, uint64_t repeat, unsigned end, T* lanes) {
  const uint8_t* start = operand + repeat * stride.repeat * kBlockBytes;
  if (stride.block == 1) {
    std::memcpy(lanes, start, end * sizeof(T));
    return;
  }
  constexpr unsigned kPerBlock = kBlockBytes / sizeof(T);
  for (unsigned lane = 0, block = 0; lane < end; lane += kPerBlock, ++block) {
    std::memcpy(lanes + lane, start + block * stride.block * kBlockBytes,
                std::min(kPerBlock, end - lane) * sizeof(T));
  }
}

template <class T>
void write_lanes(uint8_t* operand, Stride stride, uint64_t repeat, LaneRun run, const T* lanes) {
  uint8_t* start = operand + repeat * stride.repeat * kBlockBytes;
  if (stride.block == 1) {
    std::memcpy(start + run.begin * sizeof(T), lanes + run.begin,
                (run.end - run.begin) * sizeof(T));
    return;
  }
  constexpr unsigned kPerBlock = kBlockBytes / sizeof(T);
  for (unsigned lane = run.begin; lane < run.end; ++lane) {
    std::memcpy(
        start + lane / kPerBlock * stride.block * kBlockBytes + lane % kPerBlock * sizeof(T),
        lanes + lane, sizeof(T));
  }
}

// Runs compute(repeat, end, lanes) for each repeat in order and stores its enabled lanes. All of a
// repeat is read before any of it is written.
template <class T, class Compute>
void for_each_repeat(uint8_t* dst, Stride dst_stride, const LanePlan& plan, Compute compute) {
  alignas(64) T lanes[kMostLanes];
  for (uint64_t repeat = 0; repeat < plan.repeats(); ++repeat) {
    compute(repeat, plan.end_lane(repeat), lanes);
    plan.for_each_run(repeat,
                      [&](LaneRun run) { write_lanes(dst, dst_stride, repeat, run, lanes); });
  }
}

}  // namespace vinci::vector
