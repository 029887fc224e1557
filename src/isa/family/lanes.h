// Which lanes of which repeats a vector instruction works on, and where they lie: the operand model
// that all vector instructions share. See docs/spec/vector.md.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/check.h"
#include "core/footprint.h"
#include "core/state.h"
#include "vinci/record/vector.h"

namespace vinci::vector {

inline constexpr unsigned kBlockBytes = 32;
inline constexpr unsigned kRepeatBytes = 256;
inline constexpr unsigned kMostLanes = 128;

// How many of `unit`, a power of two, there are in `total`: every call divides a dozen times.
constexpr unsigned in_units(unsigned total, unsigned unit) {
  return total >> std::countr_zero(unit);
}

// Lanes in one repeat, from the widest element among the operands. 8-bit elements come 128 to a
// repeat.
constexpr unsigned lanes_per_repeat(unsigned widest_bits) {
  return std::min(kMostLanes, in_units(kRepeatBytes * 8, widest_bits));
}

// Where an operand's lanes lie. Lane i of repeat r is at byte
//   32 * (r * stride.repeat + i / per_block * stride.block) + offset + i % per_block * bits / 8
// of the operand. A block is full if per_block elements fill 32 bytes.
struct Layout {
  unsigned bits;       // of an element
  unsigned per_block;  // elements in a datablock, a power of two
  unsigned offset;     // bytes, from the start of each block to its first element
  Stride stride;

  bool full() const { return per_block * bits == kBlockBytes * 8; }
  // Bytes of n lanes, the last one to its whole byte.
  uint64_t bytes(uint64_t lanes) const { return (lanes * bits + 7) / 8; }
  // Blocks that lanes 0..end-1 touch.
  unsigned blocks(unsigned end) const { return in_units(end + per_block - 1, per_block); }
  // Bytes from the operand's start to the end of lane end-1 of a repeat, with the gaps. end > 0.
  uint64_t spanned(unsigned end) const {
    const unsigned before = blocks(end) - 1;
    return uint64_t(before) * stride.block * kBlockBytes + offset + bytes(end - before * per_block);
  }
};
// Elements without gaps in a block.
constexpr Layout layout_of(DType dtype, Stride stride) {
  return {bits_of(dtype), in_units(kBlockBytes * 8, bits_of(dtype)), 0, stride};
}
// Strides of data without gaps.
constexpr Stride contiguous(const Layout& layout, unsigned lanes) {
  return {1, uint16_t(in_units(lanes, layout.per_block))};
}

// An operand as a vector instruction sees it. The name stands apart: pointer and name side by side
// are read as one wide value just after they were written as two, which the host waits for.
struct LaneOperand {
  const Operand* operand;
  Layout layout;
  const char* name;
};

// Lanes [begin, end) of one repeat, all enabled; end <= 128.
struct LaneRun {
  unsigned begin, end;
};

// Whether a call's mask is a number of elements in all repeats: Counter mode, of the register or of
// the call's own (TIK).
inline bool counts(const Lanes& lanes, const MaskRegister& mask) {
  return lanes.counter == Lanes::Counter::kOfRegister ? mask.counter
                                                      : lanes.counter == Lanes::Counter::kOn;
}

// The mask register as it is while a call with `lanes` runs: the call writes it, unless it says
// isSetMask = false. The count form does not use it.
MaskRegister mask_during(const Lanes& lanes, const MaskRegister& before);
// What a call leaves in the register.
MaskRegister mask_after(const Lanes& lanes, const MaskRegister& before, unsigned lanes_per_repeat,
                        const Soc& soc);

// `Lanes` resolved: how many repeats, and which lanes each enables. Made from any record, also from
// one that breaks rules: then its lanes are some, and nobody reads them. Lanes of a repeat are
// counted from 0, repeats too.
class LanePlan {
 public:
  LanePlan(const Lanes& lanes, const MaskRegister& before, unsigned lanes_per_repeat);
  // Where Counter mode counts the elements of each repeat: lanes 0 to count-1, which may be more
  // than lanes(). check_each_repeat has the rules.
  static LanePlan of_each(const Lanes& lanes, const MaskRegister& before,
                          unsigned lanes_per_repeat);

  uint64_t repeats() const { return repeats_; }
  unsigned lanes() const { return lanes_; }
  // The count form: data without gaps, whatever the strides.
  bool contiguous() const { return contiguous_; }
  // The number of enabled lanes is one for all repeats together: count form and Counter mode.
  bool counted() const { return counted_; }
  uint64_t count() const { return count_; }  // of all repeats, if counted()

  // n if the lanes enabled in repeat r are 0 to n-1; else 0.
  unsigned prefix(uint64_t r) const {
    return counted_ && r + 1 == repeats_ ? unsigned(count_ - r * lanes_) : prefix_;
  }
  // Calls f(LaneRun) for the runs of enabled lanes in repeat r, in ascending order.
  template <class F>
  void for_each_run(uint64_t r, F f) const {
    if (const unsigned n = prefix(r); n != 0) {
      f(LaneRun{0, n});
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
    if (const unsigned n = prefix(r); n != 0) return n;
    return mask_[1] != 0 ? 128 - unsigned(__builtin_clzll(mask_[1]))
                         : 64 - unsigned(__builtin_clzll(mask_[0]));
  }
  // The lanes enabled in repeat r, as bits.
  void enabled_in(uint64_t r, uint64_t bits[2]) const;
  bool enabled(unsigned lane) const { return mask_[lane / 64] >> (lane % 64) & 1; }

 private:
  void take_count(uint64_t count);
  void take_bits(const uint64_t bits[2], uint64_t repeats);

  uint64_t mask_[2] = {0, 0};
  uint64_t count_ = 0;
  uint64_t repeats_ = 0;
  unsigned lanes_;
  unsigned prefix_ = 0;
  bool counted_ = false;
  bool contiguous_ = false;
};

// For Functions::advance of what works on lanes: MASK after the call. The plan is a LanePlan, or
// has one as `lanes`.
template <class R, class P>
void advance_mask(const R& record, const P& plan, const Soc& soc, Registers& registers) {
  unsigned lanes;
  if constexpr (std::is_same_v<P, LanePlan>) {
    lanes = plan.lanes();
  } else {
    lanes = plan.lanes.lanes();
  }
  registers.mask = mask_after(record.lanes, registers.mask, lanes, soc);
}

// Rules of LanePlan::of_each: `most` elements in Counter mode, in other modes those of check_lanes.
void check_each_repeat(const Lanes& lanes, unsigned lanes_per_repeat, uint64_t most,
                       bool mask_zero_legal, Check& check);

// Rules of a mask in the bit or the continuous form: some lanes of those of a repeat, none behind
// them, and none at all only if `mask_zero_legal`. Else kMask.
void check_mask(const Lanes& lanes, unsigned lanes_per_repeat, bool pairs, bool mask_zero_legal,
                Check& check);

// Rules of mask and count: kMask, or kRange where it is a number of elements. `pairs`: lanes come
// in pairs, two elements to a byte.
void check_lanes(const Lanes& lanes, unsigned lanes_per_repeat, bool pairs, bool mask_zero_legal,
                 Check& check);

// Where only the size of a type matters, tells of one that the documents do not name
// (kTypesBySize). TIK has lists of its own.
void tell_types_by_size(std::string_view name, DType dtype, std::span<const DType> documented,
                        Check& check);

// An operand of a vector instruction lies in UB, at a datablock.
[[gnu::hot]] void check_operand(const char* name, const Operand& operand, Check& check);

// What else than to coincide or to stay apart operands may do.
struct MayOverlap {
  bool to_accumulate = false;  // a repeat stride of 0 on either is the documented way
  bool as_src1 = false;        // not here, but in the other source's place
  bool to_widen = false;       // a wider dst over its source, as far as no later repeat reads it
};

// What repeats read, one after the other: from `first` on `bytes` bytes, the next one `step` on.
struct RepeatedReads {
  uint64_t first, bytes, step;
  uint64_t last;  // the number of the last repeat, from 0
  // As TIK's rule has it, of which scripts that run on a chip make use.
  bool next_alone;
};
// Calls f(repeat) for those behind `repeat` that reach into bytes [begin, end), until it returns
// true, and returns the repeat for which it did; else `repeat`.
template <class F>
uint64_t later_reader(const RepeatedReads& reads, uint64_t repeat, Interval written, F f) {
  uint64_t from = repeat + 1, to = reads.next_alone ? std::min(reads.last, from) : reads.last;
  if (reads.first >= written.end) return repeat;
  if (reads.step == 0) {
    to = std::min(to, from);  // the others read the same
  } else {
    const uint64_t apart = reads.first + reads.bytes;
    if (written.first > apart) from = std::max(from, (written.first - apart) / reads.step);
    to = std::min(to, (written.end - reads.first) / reads.step);
  }
  for (; from <= to; ++from) {
    const uint64_t begin = reads.first + from * reads.step;
    if (begin < written.end && written.first < begin + reads.bytes && f(from)) return from;
  }
  return repeat;
}
inline constexpr const char* kNoLaterSource = "no repeat's destination is a later repeat's source";

// Two operands coincide or stay apart within a repeat, and no repeat overwrites what a later one
// reads.
[[gnu::hot]] void check_overlap(const LaneOperand& dst, const LaneOperand& src,
                                const LanePlan& plan, MayOverlap may, Check& check);

// One past the last byte of the datablocks that the lanes span; the operand's start if none do.
[[gnu::hot]] uint64_t lanes_end(const LaneOperand& operand, const LanePlan& plan);

// Whether the memory from `a` to `a_end` and that from `b` to `b_end` have bytes in common.
constexpr bool overlap(uint64_t a, uint64_t a_end, uint64_t b, uint64_t b_end) {
  return a < b_end && b < a_end;
}

// The bytes of a run of lanes in `repeats` repeats, from repeat `first` on.
void add_run(Footprint& footprint, const LaneOperand& operand, Access access, LaneRun run,
             uint64_t first, uint64_t repeats);

// The bytes of the enabled lanes.
[[gnu::hot]] void add_lanes(Footprint& footprint, const LaneOperand& operand, Access access,
                            const LanePlan& plan);

}  // namespace vinci::vector
