// The bytes that instructions touch: strided blocks, and sets of bytes to compare them with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vinci/door.h"
#include "vinci/position.h"
#include "vinci/record.h"

namespace vinci {

struct Soc;

// Bytes [first, end).
struct Interval {
  uint64_t first = 0, end = 0;

  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

// Bytes that an instruction touches: `repeats` times `blocks` blocks of `block_bytes`, the first
// at `address`. GM addresses are host addresses, others count from the start of their memory.
// Blocks may overlap; every byte of them is touched, and no other.
struct Region {
  Operand operand;        // the tensor
  const char* name = "";  // the operand's name in the documents
  Access access = Access::kRead;
  bool within_tensor = true;  // false: only the memory's end limits it (gather's source)
  uint64_t address = 0;
  uint64_t block_bytes = 0;
  uint64_t blocks = 1;
  int64_t block_stride = 0;  // bytes, start to start
  uint64_t repeats = 1;
  int64_t repeat_stride = 0;
  // For messages: the parameters that say how far the bytes reach, as "repeatTimes 4, dstGap 1".
  std::string (*reach)(const Record&, const Soc&) = nullptr;
  Space space = Space::kNone;  // the memory behind the operand
  bool steers = false;         // its bytes say where others are read or written

  uint64_t first() const {
    return address + uint64_t(span(block_stride, blocks, true)) +
           uint64_t(span(repeat_stride, repeats, true));
  }
  // One past the highest byte touched.
  uint64_t end() const {
    return address + block_bytes + uint64_t(span(block_stride, blocks, false)) +
           uint64_t(span(repeat_stride, repeats, false));
  }
  // Blocks and repeats follow each other without gaps, upwards.
  bool is_contiguous() const {
    const bool in_repeat = blocks == 1 || block_stride == int64_t(block_bytes);
    return in_repeat && (repeats == 1 || repeat_stride == int64_t(blocks * block_bytes));
  }
  bool empty() const { return block_bytes == 0 || blocks == 0 || repeats == 0; }
  // Whether both touch some byte of one memory.
  bool intersects(const Region& other) const;

  // Calls f(Interval) for its blocks, repeat by repeat; once if they are contiguous.
  template <class F>
  void for_each_block(F f) const {
    if (empty()) return;
    if (is_contiguous()) return f(Interval{first(), end()});
    for (uint64_t repeat = 0; repeat < repeats; ++repeat) {
      for (uint64_t block = 0; block < blocks; ++block) {
        const uint64_t at =
            address + repeat * uint64_t(repeat_stride) + block * uint64_t(block_stride);
        f(Interval{at, at + block_bytes});
      }
    }
  }

  // How far the last of `count` lies below or above the first.
  static constexpr int64_t span(int64_t stride, uint64_t count, bool below) {
    if (count == 1) return 0;
    const int64_t distance = int64_t(count - 1) * stride;
    return (distance < 0) == below ? distance : 0;
  }
};

// A set of bytes of one memory, as GM or UB; of which is for its owner to know.
class ByteSet {
 public:
  ByteSet() = default;
  ByteSet(Interval interval) { take(interval); }
  ByteSet(const Region& region) {
    region.for_each_block([&](Interval block) { take(block); });
    settle();
  }
  // What of one memory the regions of an instruction read, or write.
  ByteSet(std::span<const Region> regions, Space space, Access access) {
    for (const Region& region : regions) {
      if (region.space != space || region.access != access) continue;
      region.for_each_block([&](Interval block) { take(block); });
    }
    settle();
  }

  void add(const ByteSet& other) {
    const size_t count = other.intervals_.size();
    for (size_t i = 0; i < count; ++i) take(other.intervals_[i]);  // which may be this set's own
    settle();
  }
  void remove(const ByteSet& other) {
    std::vector<Interval> left;
    auto hole = other.intervals_.begin();
    for (Interval interval : intervals_) {
      while (hole != other.intervals_.end() && hole->end <= interval.first) ++hole;
      for (auto at = hole; at != other.intervals_.end() && at->first < interval.end; ++at) {
        if (interval.first < at->first) left.push_back({interval.first, at->first});
        interval.first = std::min(at->end, interval.end);
      }
      if (interval.first < interval.end) left.push_back(interval);
    }
    intervals_ = std::move(left);
  }

  bool intersects(const ByteSet& other) const {
    auto mine = intervals_.begin(), others = other.intervals_.begin();
    while (mine != intervals_.end() && others != other.intervals_.end()) {
      if (mine->first < others->end && others->first < mine->end) return true;
      mine->end < others->end ? ++mine : ++others;
    }
    return false;
  }
  bool empty() const { return intervals_.empty(); }

  // In ascending order, none empty, with at least a byte between two.
  std::span<const Interval> intervals() const { return intervals_; }

 private:
  // Behind the others, or joined to the last of them.
  void take(Interval interval) {
    if (interval.first >= interval.end) return;
    if (!intervals_.empty()) {
      Interval& last = intervals_.back();
      if (last.first <= interval.first && interval.first <= last.end) {
        last.end = std::max(last.end, interval.end);
        return;
      }
    }
    intervals_.push_back(interval);
  }
  // Puts what was taken in order.
  void settle() {
    const auto before = [](const Interval& a, const Interval& b) { return a.first < b.first; };
    if (std::ranges::is_sorted(intervals_, before)) return;
    std::ranges::sort(intervals_, before);
    std::vector<Interval> taken;
    taken.swap(intervals_);
    for (const Interval& interval : taken) take(interval);
  }

  std::vector<Interval> intervals_;
};

inline bool Region::intersects(const Region& other) const {
  if (empty() || other.empty() || space != other.space) return false;
  if (end() <= other.first() || other.end() <= first()) return false;
  if (is_contiguous() && other.is_contiguous()) return true;
  return ByteSet(*this).intersects(ByteSet(other));
}

}  // namespace vinci
