// The vector operand model: masks, strides, overlap, footprint.
#include "isa/family/lanes.h"

#include <fmt/format.h>

namespace vinci::vector {
namespace {

uint64_t mask_of(unsigned lanes) { return lanes >= 64 ? ~uint64_t{0} : (uint64_t{1} << lanes) - 1; }

// The datablocks of one operand in one repeat. Start addresses are whole blocks, so two blocks are
// the same or apart.
struct Blocks {
  uint64_t start;
  uint64_t stride;
  unsigned count;

  uint64_t at(unsigned i) const { return start + i * stride; }
  uint64_t end() const { return at(count - 1) + kBlockBytes; }
};

Blocks blocks_of(const Operand& operand, Stride stride, uint64_t repeat, unsigned end_lane,
                 unsigned width) {
  const unsigned per_block = kBlockBytes / width;
  return {operand.address + repeat * stride.repeat * kBlockBytes,
          uint64_t(stride.block) * kBlockBytes, (end_lane + per_block - 1) / per_block};
}

bool meet(const Blocks& a, const Blocks& b) {
  if (a.end() <= b.start || b.end() <= a.start) return false;
  for (unsigned i = 0; i < a.count; ++i) {
    for (unsigned j = 0; j < b.count; ++j) {
      if (a.at(i) == b.at(j)) return true;
    }
  }
  return false;
}

bool coincide(const Blocks& a, const Blocks& b) {
  return a.start == b.start && a.count == b.count && (a.count == 1 || a.stride == b.stride);
}

}  // namespace

LanePlan::LanePlan(const Lanes& lanes, unsigned width) : lanes_(lanes_per_repeat(width)) {
  mask_[0] = mask_[1] = 0;
  switch (lanes.form) {
    case Lanes::Form::kCount:
      counted_ = true;
      count_ = lanes.mask[0];
      continuous_ = lanes_;
      repeats_ = (count_ + lanes_ - 1) / lanes_;
      break;
    case Lanes::Form::kContinuous:
      continuous_ = unsigned(std::min<uint64_t>(lanes.mask[0], lanes_));
      repeats_ = continuous_ == 0 ? 0 : lanes.repeats;
      break;
    case Lanes::Form::kBits:
      mask_[0] = lanes.mask[0] & mask_of(lanes_);
      mask_[1] = lanes_ > 64 ? lanes.mask[1] : 0;
      repeats_ = (mask_[0] | mask_[1]) == 0 ? 0 : lanes.repeats;
      if (mask_[0] == mask_of(lanes_) && mask_[1] == (lanes_ > 64 ? mask_of(64) : 0)) {
        continuous_ = lanes_;
      }
      break;
  }
}

void check_lanes(const Lanes& lanes, unsigned width, Check& check, bool mask_zero_legal) {
  const unsigned most = lanes_per_repeat(width);
  if (!lanes.set_mask) {
    check.unimplemented("isSetMask = false (the MASK register) is not there yet");
    return;
  }
  switch (lanes.form) {
    case Lanes::Form::kCount: check.range("count", int64_t(lanes.mask[0]), 0, INT32_MAX); return;
    case Lanes::Form::kContinuous:
      if (lanes.mask[0] == 0 && mask_zero_legal) return;
      if (lanes.mask[0] < 1 || lanes.mask[0] > most) {
        check.fail(Code::kMask,
                   fmt::format("mask {} is not legal for {}-byte elements on {}", lanes.mask[0],
                               width, check.soc().name),
                   fmt::format("1..{}", most));
      }
      return;
    case Lanes::Form::kBits:
      if (most <= 64 && lanes.mask[1] != 0) {
        check.fail(Code::kMask,
                   fmt::format("mask[1] is {:#x} for {}-byte elements", lanes.mask[1], width),
                   fmt::format("mask[1] = 0: a repeat has {} lanes", most));
      } else if (lanes.mask[0] == 0 && lanes.mask[1] == 0 && !mask_zero_legal) {
        check.fail(Code::kMask, "mask[0] and mask[1] are both 0", "at least one lane enabled");
      }
      return;
  }
}

void check_operand(std::string_view name, const Operand& operand, Check& check) {
  check.in_space(name, operand, Space::kUb);
  if (check.ok()) check.aligned(name, operand);
}

void check_overlap(std::string_view dst_name, const Operand& dst, Stride dst_stride,
                   std::string_view src_name, const Operand& src, Stride src_stride,
                   const LanePlan& plan, unsigned width, bool may_accumulate, Check& check) {
  if (!check.ok() || plan.repeats() == 0) return;
  const uint64_t repeats = plan.repeats();
  const auto dst_blocks = [&](uint64_t repeat) {
    return blocks_of(dst, dst_stride, repeat, plan.end_lane(repeat), width);
  };
  const auto src_blocks = [&](uint64_t repeat) {
    return blocks_of(src, src_stride, repeat, plan.end_lane(repeat), width);
  };
  // Whole operands apart: the usual case.
  const auto end = [&](const Blocks& first, const Blocks& last) {
    return std::max(first.end(), last.end());
  };
  if (end(dst_blocks(0), dst_blocks(repeats - 1)) <= src.address ||
      end(src_blocks(0), src_blocks(repeats - 1)) <= dst.address) {
    return;
  }
  if (may_accumulate && (dst_stride.repeat == 0 || src_stride.repeat == 0)) return;
  for (uint64_t repeat = 0; repeat < repeats; ++repeat) {
    const Blocks written = dst_blocks(repeat);
    if (meet(written, src_blocks(repeat)) && !coincide(written, src_blocks(repeat))) {
      check.fail(Code::kOverlap,
                 fmt::format("{} and {} overlap in part in repeat {}", dst_name, src_name, repeat),
                 "the same start and block stride, or no overlap");
      return;
    }
    if (repeat + 1 < repeats && meet(written, src_blocks(repeat + 1))) {
      check.fail(Code::kOverlap,
                 fmt::format("{} of repeat {} overwrites {} of repeat {}", dst_name, repeat,
                             src_name, repeat + 1),
                 "no repeat's destination is the next repeat's source");
      return;
    }
  }
}

void add_lanes(Footprint& footprint, const Operand& operand, const char* name, Access access,
               Stride stride, const LanePlan& plan, unsigned width) {
  if (plan.counted()) {
    footprint.add_bytes(operand, name, access, 0, plan.count() * width);
    return;
  }
  if (plan.repeats() == 0) return;
  const unsigned per_block = kBlockBytes / width;
  const auto add = [&](uint64_t offset, uint64_t bytes, uint64_t blocks) {
    footprint.add({&operand, name, access, true, operand.address + offset, bytes, blocks,
                   int64_t(stride.block) * kBlockBytes, plan.repeats(),
                   int64_t(stride.repeat) * kBlockBytes});
  };
  plan.for_each_run(0, [&](LaneRun run) {
    if (stride.block == 1) {
      add(run.begin * width, (run.end - run.begin) * width, 1);
      return;
    }
    // Lanes of one block at a time, whole blocks together.
    while (run.begin < run.end) {
      const unsigned block = run.begin / per_block;
      const unsigned in_block = run.begin % per_block;
      const uint64_t offset = uint64_t(block) * stride.block * kBlockBytes + in_block * width;
      const unsigned left = run.end - run.begin;
      if (in_block == 0 && left >= per_block) {
        add(offset, kBlockBytes, left / per_block);
        run.begin += left / per_block * per_block;
      } else {
        const unsigned piece = std::min(left, per_block - in_block);
        add(offset, piece * width, 1);
        run.begin += piece;
      }
    }
  });
}

}  // namespace vinci::vector
