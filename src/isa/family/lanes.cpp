// The operand model: masks resolved, its rules, and its footprint.
#include "isa/family/lanes.h"

#include <fmt/format.h>

#include "numeric/dtype.h"

namespace vinci::vector {
namespace {

uint64_t low_ones(uint64_t count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

// The mask whose lanes 0 to lanes-1 are enabled.
void set_prefix(uint64_t bits[2], uint64_t lanes) {
  bits[0] = low_ones(lanes);
  bits[1] = lanes > 64 ? low_ones(lanes - 64) : 0;
}

// The datablocks of one operand in one repeat. Start addresses are whole blocks, so two blocks are
// the same or apart.
struct Blocks {
  uint64_t start;
  uint64_t stride;
  unsigned count;

  uint64_t at(unsigned i) const { return start + i * stride; }
  uint64_t end() const { return at(count - 1) + kBlockBytes; }
};

Blocks blocks_of(const LaneOperand& operand, uint64_t repeat, unsigned end_lane) {
  const Layout& layout = operand.layout;
  return {operand.operand->address + repeat * layout.stride.repeat * kBlockBytes,
          uint64_t(layout.stride.block) * kBlockBytes, layout.blocks(end_lane)};
}

bool overlap(const Blocks& a, const Blocks& b) {
  if (a.end() <= b.start || b.end() <= a.start) return false;
  for (unsigned i = 0; i < a.count; ++i) {
    for (unsigned j = 0; j < b.count; ++j) {
      if (a.at(i) == b.at(j)) return true;
    }
  }
  return false;
}

// A narrower destination may start where its source does: it is written after all has been read.
// A wider one would reach into what follows.
bool coincide(const Blocks& dst, const Blocks& src) {
  return dst.start == src.start && dst.count <= src.count &&
         (src.count == 1 || dst.count == 1 || dst.stride == src.stride);
}

// A wider destination that covers its source, or its first part: what is behind it is written too.
bool widens_over(const Blocks& dst, const Blocks& src) {
  return dst.start <= src.start && dst.count > src.count &&
         (src.count == 1 || dst.stride == src.stride);
}

}  // namespace

MaskRegister mask_during(const Lanes& lanes, const MaskRegister& before) {
  MaskRegister mask = before;
  mask.counter = counts(lanes, before);
  if (!lanes.set_mask || lanes.form == Lanes::Form::kCount) return mask;
  if (lanes.form == Lanes::Form::kBits || mask.counter) {
    mask.bits[0] = lanes.mask[0];
    mask.bits[1] = lanes.mask[1];
  } else {
    set_prefix(mask.bits, lanes.mask[0]);
  }
  return mask;
}

MaskRegister mask_after(const Lanes& lanes, const MaskRegister& before, unsigned lanes_per_repeat,
                        const Soc& soc) {
  if (lanes.form != Lanes::Form::kCount) {
    MaskRegister mask = mask_during(lanes, before);
    mask.counter = before.counter;
    return mask;
  }
  if (soc.has(Feature::kCountFillsMask)) return {};
  MaskRegister mask = before;
  const uint64_t count = lanes.mask[0];
  if (count != 0)
    set_prefix(mask.bits, count % lanes_per_repeat ? count % lanes_per_repeat : lanes_per_repeat);
  return mask;
}

LanePlan::LanePlan(const Lanes& lanes, const MaskRegister& before, unsigned lanes_per_repeat)
    : lanes_(lanes_per_repeat) {
  contiguous_ = lanes.form == Lanes::Form::kCount;
  if (contiguous_) {
    take_count(lanes.mask[0]);
    return;
  }
  const MaskRegister mask = mask_during(lanes, before);
  if (mask.counter) {
    take_count(uint32_t(mask.bits[0]));
  } else {
    take_bits(mask.bits, lanes.repeats);
  }
}

LanePlan LanePlan::of_each(const Lanes& lanes, const MaskRegister& before,
                           unsigned lanes_per_repeat) {
  LanePlan plan(lanes, before, lanes_per_repeat);
  if (!counts(lanes, before)) return plan;
  plan.counted_ = false;
  plan.prefix_ = uint32_t(mask_during(lanes, before).bits[0]);
  plan.repeats_ = plan.prefix_ == 0 ? 0 : lanes.repeats;
  return plan;
}

void LanePlan::enabled_in(uint64_t r, uint64_t bits[2]) const {
  if (const unsigned n = prefix(r); n != 0) {
    set_prefix(bits, n);
  } else {
    bits[0] = mask_[0];
    bits[1] = mask_[1];
  }
}

void LanePlan::take_count(uint64_t count) {
  counted_ = true;
  count_ = count;
  repeats_ = (count + lanes_ - 1) >> std::countr_zero(lanes_);
  prefix_ = lanes_;
}

void LanePlan::take_bits(const uint64_t bits[2], uint64_t repeats) {
  mask_[0] = bits[0] & low_ones(lanes_);
  mask_[1] = lanes_ > 64 ? bits[1] : 0;
  if ((mask_[0] | mask_[1]) == 0) return;
  repeats_ = repeats;
  const unsigned enabled =
      unsigned(__builtin_popcountll(mask_[0]) + __builtin_popcountll(mask_[1]));
  if (enabled == end_lane(0)) prefix_ = enabled;
}

namespace {

// Whether a mask enables one of two int4 elements that share a byte.
bool splits_pair(const uint64_t mask[2]) {
  constexpr uint64_t kFirst = 0x5555555555555555;
  return (((mask[0] ^ mask[0] >> 1) | (mask[1] ^ mask[1] >> 1)) & kFirst) != 0;
}

void check_register(const Lanes& lanes, unsigned most, bool pairs, bool zero_legal, Check& check) {
  const MaskRegister mask = mask_during(lanes, check.registers().mask);
  if (mask.counter) {
    if (pairs) check.multiple("the number of elements in MASK", uint32_t(mask.bits[0]), 2);
    return;
  }
  const uint64_t used[2] = {mask.bits[0] & low_ones(most), most > 64 ? mask.bits[1] : 0};
  if (used[0] == 0 && used[1] == 0 && !zero_legal) {
    check.fail(Code::kMask,
               fmt::format("the MASK register enables none of the {} lanes of a repeat", most),
               "at least one lane enabled, by SetVectorMask or ResetMask");
  } else if (pairs && splits_pair(used)) {
    check.fail(Code::kMask, "the MASK register enables half of a pair of int4 elements",
               "both or none");
  }
}

void check_continuous(uint64_t mask, unsigned most, bool pairs, Check& check) {
  if (mask < 1 || mask > most) {
    check.fail(Code::kMask,
               fmt::format("mask {} is not legal for {} lanes in a repeat on {}", mask, most,
                           check.soc().name),
               fmt::format("1..{}", most));
  } else if (pairs && mask % 2 != 0) {
    check.fail(Code::kMask, fmt::format("mask {} for int4, two elements to a byte", mask),
               "an even number");
  }
}

void check_bits(const uint64_t mask[2], unsigned most, bool pairs, bool zero_legal, Check& check) {
  const bool beyond = most <= 64 && (mask[1] != 0 || (mask[0] & ~low_ones(most)) != 0);
  if (beyond) {
    check.fail(
        Code::kMask,
        fmt::format("mask is {{{:#x}, {:#x}}} for {} lanes in a repeat", mask[0], mask[1], most),
        fmt::format("no bit from {} on", most));
  } else if (mask[0] == 0 && mask[1] == 0 && !zero_legal) {
    check.fail(Code::kMask, "mask[0] and mask[1] are both 0", "at least one lane enabled");
  } else if (pairs && splits_pair(mask)) {
    check.fail(Code::kMask, "mask enables half of a pair of int4 elements", "both or none");
  }
}

}  // namespace

namespace {

// The call means the register's mask, and says that it brings its own.
bool is_placeholder(const Lanes& lanes, Check& check) {
  if (lanes.form == Lanes::Form::kCount || !lanes.set_mask || lanes.mask[0] != kMaskPlaceholder) {
    return false;
  }
  check.fail(Code::kMask, "mask is MASK_PLACEHOLDER, which is no mask, and isSetMask is true",
             "isSetMask = false behind SetVectorMask, or a mask");
  return true;
}

}  // namespace

void check_mask(const Lanes& lanes, unsigned lanes_per_repeat, bool pairs, bool mask_zero_legal,
                Check& check) {
  if (is_placeholder(lanes, check)) return;
  if (lanes.form == Lanes::Form::kBits) {
    check_bits(lanes.mask, lanes_per_repeat, pairs, mask_zero_legal, check);
  } else if (lanes.mask[0] != 0 || !mask_zero_legal) {
    check_continuous(lanes.mask[0], lanes_per_repeat, pairs, check);
  }
}

void check_lanes(const Lanes& lanes, unsigned lanes_per_repeat, bool pairs, bool mask_zero_legal,
                 Check& check) {
  const uint64_t mask = lanes.mask[0];
  if (is_placeholder(lanes, check)) return;
  if (lanes.form == Lanes::Form::kCount) {
    check.range("count", int64_t(mask), 0, INT32_MAX);
    if (pairs) check.multiple("count", int64_t(mask), 2);
  } else if (!lanes.set_mask) {
    check_register(lanes, lanes_per_repeat, pairs, mask_zero_legal, check);
  } else if (counts(lanes, check.registers().mask)) {
    check.range("mask (in Counter mode a number of elements)", int64_t(mask), 0, UINT32_MAX);
    if (pairs) check.multiple("mask", int64_t(mask), 2);
  } else {
    check_mask(lanes, lanes_per_repeat, pairs, mask_zero_legal, check);
  }
}

void check_each_repeat(const Lanes& lanes, unsigned lanes_per_repeat, uint64_t most,
                       bool mask_zero_legal, Check& check) {
  const MaskRegister& mask = check.registers().mask;
  if (is_placeholder(lanes, check)) return;
  if (!counts(lanes, mask)) {
    check_lanes(lanes, lanes_per_repeat, false, mask_zero_legal, check);
    return;
  }
  const uint64_t count = mask_during(lanes, mask).bits[0];
  if (lanes.set_mask ? count > most : uint32_t(count) > most) {
    check.fail(
        Code::kMask,
        fmt::format("mask is {} in Counter mode, where it counts the elements of each repeat",
                    count),
        fmt::format("0..{}", most));
  }
}

void tell_types_by_size(std::string_view name, DType dtype, std::span<const DType> documented,
                        Check& check) {
  if (check.in_tik() || std::ranges::find(documented, dtype) != documented.end()) return;
  std::string legal;
  for (const DType type : documented) {
    legal += fmt::format("{}{}", legal.empty() ? "" : ", ", name_of(type));
  }
  check.warn(Code::kTypesBySize,
             fmt::format("{} holds {}, which the documents do not name; it counts by its size",
                         name, name_of(dtype)),
             std::move(legal));
}

void check_operand(const char* name, const Operand& operand, Check& check) {
  check.in_space(name, operand, Space::kUb);
  if (check.ok()) check.aligned(name, operand);
}

namespace {

// The documented way to let all repeats add up in one place. TIK's has both in one place.
bool accumulates(const LaneOperand& dst, const LaneOperand& src, bool in_tik) {
  const Stride &to = dst.layout.stride, &from = src.layout.stride;
  if (!in_tik) return to.repeat == 0 || from.repeat == 0;
  return to.repeat == 0 && from.repeat == 0 && to.block == from.block &&
         dst.operand->address == src.operand->address;
}

// In TIK no two tensors share a datablock, so what reaches into another has left its own: that is
// told, and the overlap that comes of it is not.
bool leaves_tensor(const Operand& operand, uint64_t end) {
  const uint64_t behind = operand.address + operand.bytes + kBlockBytes - 1;
  return end > behind / kBlockBytes * kBlockBytes;
}
// Whether their spans have bytes in common; the end of the one that begins first says it.
bool spans_meet(const LaneOperand& one, const LaneOperand& other, const LanePlan& plan) {
  const uint64_t first = one.operand->address, second = other.operand->address;
  if (first < second) return second < lanes_end(one, plan);
  if (second < first) return first < lanes_end(other, plan);
  return first < lanes_end(one, plan) && first < lanes_end(other, plan);
}
bool are_of_one_tensor(const Operand& one, const Operand& other) {
  return one.address + one.bytes == other.address + other.bytes;
}

}  // namespace

void check_overlap(const LaneOperand& dst, const LaneOperand& src, const LanePlan& plan,
                   MayOverlap may, Check& check) {
  if (!check.ok() || plan.repeats() == 0) return;
  const uint64_t last = plan.repeats() - 1;
  const auto dst_blocks = [&](uint64_t repeat) {
    return blocks_of(dst, repeat, plan.end_lane(repeat));
  };
  const auto src_blocks = [&](uint64_t repeat) {
    return blocks_of(src, repeat, plan.end_lane(repeat));
  };
  if (!spans_meet(dst, src, plan)) return;  // the usual case
  if (check.in_tik() && !are_of_one_tensor(*dst.operand, *src.operand) &&
      (leaves_tensor(*dst.operand, lanes_end(dst, plan)) ||
       leaves_tensor(*src.operand, lanes_end(src, plan)))) {
    return;
  }
  if (may.to_accumulate && accumulates(dst, src, check.in_tik())) return;
  // Where both go on by the same stride, all repeats lie alike, and a tail is part of one.
  const bool alike = dst.layout.stride.repeat == src.layout.stride.repeat;
  const uint64_t looked_at = alike ? 0 : last;
  const Blocks first = src_blocks(0);
  const RepeatedReads reads{first.start, first.end() - first.start,
                            uint64_t(src.layout.stride.repeat) * kBlockBytes, last, check.in_tik()};
  const bool may_widen = may.to_widen && !check.in_tik();
  bool widened = false;
  for (uint64_t repeat = 0; repeat <= looked_at; ++repeat) {
    const Blocks written = dst_blocks(repeat), read = src_blocks(repeat);
    if (overlap(written, read) && !coincide(written, read)) {
      if (!may_widen || !widens_over(written, read)) {
        check.fail(
            Code::kOverlap,
            fmt::format("{} and {} overlap in part in repeat {}", dst.name, src.name, repeat),
            "the same start and block stride, or no overlap");
        return;
      }
      widened = true;
    }
    const uint64_t reader =
        later_reader(reads, repeat, {written.start, written.end()},
                     [&](uint64_t later) { return overlap(written, src_blocks(later)); });
    if (reader != repeat) {
      check.fail(Code::kOverlap,
                 fmt::format("{} of repeat {} overwrites {} of repeat {}", dst.name, repeat,
                             src.name, reader),
                 may.as_src1 && !check.in_tik() && accumulates(dst, src, false)
                     ? fmt::format("{}; dst may be src1, to add up", kNoLaterSource)
                     : kNoLaterSource);
      return;
    }
  }
  if (!widened) return;
  check.warn(Code::kWiderInPlace,
             fmt::format("{} is wider than {} and written over it; a repeat is taken to read all "
                         "before it writes",
                         dst.name, src.name),
             "no overlap");
}

uint64_t lanes_end(const LaneOperand& operand, const LanePlan& plan) {
  if (plan.repeats() == 0) return operand.operand->address;
  const uint64_t last = plan.repeats() - 1;
  const uint64_t end = blocks_of(operand, last, plan.end_lane(last)).end();
  return last == 0 ? end : std::max(blocks_of(operand, 0, plan.end_lane(0)).end(), end);
}

void add_run(Footprint& footprint, const LaneOperand& operand, Access access, LaneRun run,
             uint64_t first, uint64_t repeats) {
  const Layout& layout = operand.layout;
  const uint64_t start = operand.operand->address + first * layout.stride.repeat * kBlockBytes;
  const auto add = [&](uint64_t offset, uint64_t bytes, uint64_t blocks) {
    footprint.add({*operand.operand, operand.name, access, true, start + offset, bytes, blocks,
                   int64_t(layout.stride.block) * kBlockBytes, repeats,
                   int64_t(layout.stride.repeat) * kBlockBytes});
  };
  if (layout.full() && layout.stride.block == 1) {
    const uint64_t begin = uint64_t(run.begin) * layout.bits / 8;
    add(begin, layout.bytes(run.end) - begin, 1);
    return;
  }
  // Lanes of one block at a time, whole blocks together.
  while (run.begin < run.end) {
    const unsigned in_block = run.begin % layout.per_block;
    const unsigned left = run.end - run.begin;
    const uint64_t offset =
        uint64_t(run.begin / layout.per_block) * layout.stride.block * kBlockBytes + layout.offset +
        in_block * layout.bits / 8;
    if (in_block == 0 && left >= layout.per_block) {
      add(offset, layout.bytes(layout.per_block), left / layout.per_block);
      run.begin += left / layout.per_block * layout.per_block;
    } else {
      const unsigned piece = std::min(left, layout.per_block - in_block);
      add(offset, layout.bytes(piece), 1);
      run.begin += piece;
    }
  }
}

void add_lanes(Footprint& footprint, const LaneOperand& operand, Access access,
               const LanePlan& plan) {
  if (plan.repeats() == 0) return;
  if (!plan.counted()) {
    plan.for_each_run(
        0, [&](LaneRun run) { add_run(footprint, operand, access, run, 0, plan.repeats()); });
    return;
  }
  if (plan.contiguous() && operand.layout.full()) {
    footprint.add_bytes(*operand.operand, operand.name, access, 0,
                        operand.layout.bytes(plan.count()));
    return;
  }
  const uint64_t last = plan.repeats() - 1;
  if (last != 0) add_run(footprint, operand, access, {0, plan.lanes()}, 0, last);
  add_run(footprint, operand, access, {0, plan.prefix(last)}, last, 1);
}

}  // namespace vinci::vector
