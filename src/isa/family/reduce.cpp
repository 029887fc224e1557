// What reductions inside a repeat check and touch, and the walk over the repeats.
#include "isa/family/reduce.h"

#include <fmt/format.h>

#include "isa/family/reduce_lanes.h"
#include "isa/family/walk.h"

namespace vinci::vector {
namespace {

// Of a record that has been checked.
LaneOperand source_of(const ReduceRecord& record) {
  return reduced_lanes(record.src, record.lanes,
                       {uint16_t(record.src_block_stride), uint16_t(record.src_repeat_stride)});
}

// What one repeat becomes.
struct Shape {
  unsigned width;         // bytes of an element
  unsigned lanes;         // in a repeat
  unsigned groups;        // each becomes a result
  unsigned result_bytes;  // of one of them
  unsigned alignment;     // of dst

  // The unit of the repeat stride of dst.
  unsigned unit_bytes() const { return groups * result_bytes; }
};

unsigned result_bytes_of(const ReduceRecord& record, ReduceKind kind, unsigned width) {
  if (kind.to == Reduction::kSum || kind.group != Group::kRepeat) return width;
  switch (record.order) {
    case ReduceOrder::kOnlyValue: return width;
    case ReduceOrder::kOnlyIndex: return sizeof(uint32_t);
    default: return 2 * width;
  }
}

Shape shape_of(const ReduceRecord& record, ReduceKind kind) {
  const unsigned bits = bits_of(record.src.dtype);
  Shape shape{};
  shape.width = bits / 8;
  shape.lanes = lanes_per_repeat(bits);
  switch (kind.group) {
    case Group::kRepeat: shape.groups = 1; break;
    case Group::kBlock: shape.groups = kRepeatBytes / kBlockBytes; break;
    case Group::kPair: shape.groups = shape.lanes / 2; break;
  }
  shape.result_bytes = result_bytes_of(record, kind, shape.width);
  shape.alignment = std::min(shape.unit_bytes(), kBlockBytes);
  return shape;
}

// The groups that get a result in a repeat, as bits.
uint64_t results_in(const Shape& shape, const LanePlan& plan, uint64_t repeat, bool fills_empty) {
  const uint64_t all = ~uint64_t{0} >> (64 - shape.groups);
  if (fills_empty) return all;
  const unsigned size = shape.lanes / shape.groups;
  uint64_t groups = 0;
  plan.for_each_run(repeat, [&](LaneRun run) {
    const unsigned first = run.begin / size, last = (run.end - 1) / size;
    groups |= (all << first) & (~uint64_t{0} >> (63 - last));
  });
  return groups;
}

// Calls f(first, count) for the groups that follow each other.
template <class F>
void for_each_stretch(uint64_t groups, F f) {
  while (groups != 0) {
    const unsigned first = unsigned(std::countr_zero(groups));
    const unsigned count = unsigned(std::countr_one(groups >> first));
    f(first, count);
    groups = first + count == 64 ? 0 : groups >> (first + count) << (first + count);
  }
}

// The orders that each generation has, as bits.
struct OrderSupport {
  ArchSet archs;
  unsigned orders;
};
constexpr unsigned bit_of(ReduceOrder order) { return 1u << unsigned(order); }
constexpr OrderSupport kOrderSupport[] = {
    {kReduceOlder, bit_of(ReduceOrder::kValueIndex)},
    {kArch2002 | kArch2002Vector,
     bit_of(ReduceOrder::kValueIndex) | bit_of(ReduceOrder::kIndexValue)},
    {kArch2201, 15},
    {kArch3002, bit_of(ReduceOrder::kValueIndex) | bit_of(ReduceOrder::kOnlyValue)},
};
constexpr const char* kOrderNames[] = {"ORDER_VALUE_INDEX", "ORDER_INDEX_VALUE", "ORDER_ONLY_VALUE",
                                       "ORDER_ONLY_INDEX"};

void check_order(ReduceOrder order, Check& check) {
  unsigned legal = 0;
  for (const OrderSupport& row : kOrderSupport) {
    if ((row.archs & check.soc().arch->bit) != 0) legal = row.orders;
  }
  const auto number = unsigned(order);
  if (number < 4 && (legal >> number & 1) != 0) return;
  std::string names;
  for (unsigned i = 0; i < 4; ++i) {
    if (legal >> i & 1) names += (names.empty() ? "" : ", ") + std::string(kOrderNames[i]);
  }
  check.fail(
      Code::kRange,
      fmt::format("order {} is not legal on {}",
                  number < 4 ? kOrderNames[number] : std::to_string(number), check.soc().name),
      names);
}

// Whether a repeat of src reads bytes [begin, end) of its memory.
bool reads(const LaneOperand& src, const LanePlan& plan, uint64_t repeat, uint64_t begin,
           uint64_t end) {
  const Layout& layout = src.layout;
  uint64_t block = src.operand->address + repeat * layout.stride.repeat * kBlockBytes;
  for (unsigned left = layout.blocks(plan.end_lane(repeat)); left > 0; --left) {
    if (begin < block + kBlockBytes && block < end) return true;
    block += uint64_t(layout.stride.block) * kBlockBytes;
  }
  return false;
}

}  // namespace

LaneOperand reduced_lanes(const Operand& src, const Lanes& lanes, Stride stride) {
  Layout layout = layout_of(src.dtype, stride);
  if (lanes.form == Lanes::Form::kCount) {
    layout.stride = contiguous(layout, lanes_per_repeat(layout.bits));
  }
  return {&src, layout, "src"};
}

void check_reduce_overlap(const LaneOperand& dst, uint64_t bytes, uint64_t step,
                          const LaneOperand& src, const LanePlan& plan, Check& check) {
  if (!check.ok() || plan.repeats() == 0) return;
  const uint64_t last = plan.repeats() - 1;
  const Layout& layout = src.layout;
  const uint64_t src_step = uint64_t(layout.stride.repeat) * kBlockBytes;
  const uint64_t src_end =
      src.operand->address + last * src_step +
      uint64_t(layout.blocks(plan.lanes()) - 1) * layout.stride.block * kBlockBytes + kBlockBytes;
  const uint64_t start = dst.operand->address;
  const RepeatedReads of_src{src.operand->address, src_end - last * src_step - src.operand->address,
                             src_step, last, check.in_tik()};
  // Operands that are apart altogether: the usual case.
  if (src_end <= start || start + last * step + bytes <= src.operand->address) return;
  for (uint64_t repeat = 0; repeat <= last; ++repeat) {
    const uint64_t begin = start + repeat * step;
    if (begin != src.operand->address + repeat * src_step &&
        reads(src, plan, repeat, begin, begin + bytes)) {
      check.fail(Code::kOverlap,
                 fmt::format("{} and {} overlap in part in repeat {}", dst.name, src.name, repeat),
                 "the same start, or no overlap");
      return;
    }
    const uint64_t reader =
        later_reader(of_src, repeat, {begin, begin + bytes},
                     [&](uint64_t later) { return reads(src, plan, later, begin, begin + bytes); });
    if (reader != repeat) {
      check.fail(Code::kOverlap,
                 fmt::format("{} of repeat {} overwrites {} of repeat {}", dst.name, repeat,
                             src.name, reader),
                 kNoLaterSource);
      return;
    }
  }
}

bool leaves_extreme(ReduceKind kind, const Soc& soc) {
  return kind.to != Reduction::kSum && kind.group == Group::kRepeat &&
         (soc.has(Feature::kReduceRegisters) || soc.has(Feature::kReduceExtreme));
}

void add_extreme(Footprint& footprint) {
  footprint.add_hidden(Space::kCells, "the extreme", Access::kWrite, offsetof(Cells, extreme),
                       sizeof(Cells::extreme) + sizeof(Cells::extreme_index));
}

void check_reduce(const ReduceRecord& record, ReduceKind kind, const LanePlan& plan, Check& check) {
  if (kind.to != Reduction::kSum && kind.group == Group::kRepeat) check_order(record.order, check);
  const Shape shape = shape_of(record, kind);
  check.in_space("dst", record.dst, Space::kUb);
  if (check.ok()) check.aligned("dst", record.dst, shape.alignment);
  check_operand("src", record.src, check);
  check.range("repeatTime", record.lanes.repeats, 0, 255);
  check.range("dstRepStride", record.dst_repeat_stride, 0, 65535);
  check.range("srcBlkStride", record.src_block_stride, 0, 65535);
  check.range("srcRepStride", record.src_repeat_stride, 0, 65535);
  check_lanes(record.lanes, shape.lanes, false, check.soc().has(Feature::kMaskZeroIsNop), check);
  if (!check.ok()) return;
  if (plan.repeats() > 1 && check.soc().has(Feature::kReduceMovesOn)) {
    check.range("dstRepStride", record.dst_repeat_stride, 1, 65535);
  }
  const LaneOperand dst{&record.dst, {}, "dst"};
  check_reduce_overlap(dst, shape.unit_bytes(),
                       uint64_t(record.dst_repeat_stride) * shape.unit_bytes(), source_of(record),
                       plan, check);
}

void add_reduce(const ReduceRecord& record, ReduceKind kind, const LanePlan& plan,
                Footprint& footprint) {
  const Shape shape = shape_of(record, kind);
  add_lanes(footprint, source_of(record), Access::kRead, plan);
  const uint64_t step = uint64_t(record.dst_repeat_stride) * shape.unit_bytes();
  // Repeats that get the same results.
  const auto add = [&](uint64_t repeat, uint64_t repeats) {
    const bool fills = footprint.soc().has(Feature::kReduceFillsEmpty);
    for_each_stretch(results_in(shape, plan, repeat, fills), [&](unsigned first, unsigned count) {
      footprint.add({record.dst, "dst", Access::kWrite, true,
                     record.dst.address + repeat * step + first * shape.result_bytes,
                     uint64_t(count) * shape.result_bytes, 1, 0, repeats, int64_t(step)});
    });
  };
  if (plan.repeats() == 0) return;
  const uint64_t last = plan.repeats() - 1;
  if (last != 0) add(0, last);
  add(last, 1);
  if (leaves_extreme(kind, footprint.soc())) add_extreme(footprint);
}

namespace {

// A repeat without an enabled lane in a group, where the chip writes a result all the same.
template <class Bits>
Bits empty_result(Reduction to) {
  if (to == Reduction::kSum) return 0;
  const Bits most = Bits(kInfinity<Bits> - (sizeof(Bits) == 2 ? 1 : 0));
  return to == Reduction::kMin ? most : Bits(most | Bits(~(Bits(~Bits{0}) >> 1)));
}

template <class Bits>
void put(uint8_t* to, unsigned place, Bits value) {
  std::memcpy(to + place * sizeof(Bits), &value, sizeof(Bits));
}

template <class Bits>
void put_result(uint8_t* to, ReduceOrder order, Bits value, unsigned lane) {
  switch (order) {
    case ReduceOrder::kValueIndex:
      put(to, 0, value);
      put(to, 1, Bits(lane));
      break;
    case ReduceOrder::kIndexValue:
      put(to, 0, Bits(lane));
      put(to, 1, value);
      break;
    case ReduceOrder::kOnlyValue: put(to, 0, value); break;
    case ReduceOrder::kOnlyIndex: put(to, 0, uint32_t(lane)); break;
  }
}

// The first of the largest or smallest of all repeats.
template <class Bits>
class Extreme {
 public:
  explicit Extreme(bool smallest) : smallest_(smallest) {}

  void add(Bits value, uint64_t index) {
    const auto key = key_of(value, smallest_);
    if (key <= key_) return;
    key_ = key;
    value_ = value;
    index_ = Bits(index);
  }
  void leave_in(Cells& cells) const {
    cells.extreme = value_;
    cells.extreme_index = index_;
  }

 private:
  const bool smallest_;
  std::make_signed_t<Bits> key_ = std::numeric_limits<std::make_signed_t<Bits>>::min();
  Bits value_ = 0, index_ = 0;
};

template <class Bits, bool saturate>
void run(const ReduceRecord& record, ReduceKind kind, const LanePlan& plan, const State& state,
         Memory& memory) {
  const Shape shape = shape_of(record, kind);
  const LaneOperand src = source_of(record);
  const uint8_t* from = memory.data(record.src);
  uint8_t* to = memory.data(record.dst);
  const ReduceOrder order = kind.group == Group::kRepeat ? record.order : ReduceOrder::kOnlyValue;
  const bool fills = state.soc.has(Feature::kReduceFillsEmpty);
  alignas(64) uint8_t gathered[kRepeatBytes], results[kRepeatBytes];
  Extreme<Bits> extreme(kind.to == Reduction::kMin);
  for (uint64_t repeat = 0; repeat < plan.repeats(); ++repeat) {
    const uint8_t* lanes = lanes_of(src.layout, from, 0, plan.end_lane(repeat), gathered);
    const uint64_t groups = results_in(shape, plan, repeat, fills);
    if (kind.to == Reduction::kSum) {
      sum_groups<Bits, saturate>(lanes, plan, repeat, shape.groups, results);
    } else {
      pick_groups<Bits, saturate>(lanes, plan, repeat, shape.groups, kind.to == Reduction::kMin,
                                  [&](unsigned group, Bits value, unsigned lane) {
                                    put_result(results + group * shape.result_bytes, order, value,
                                               lane);
                                    extreme.add(value, repeat * shape.lanes + lane);
                                  });
    }
    if (fills) {
      const uint64_t empty = groups & ~results_in(shape, plan, repeat, false);
      for_each_stretch(empty, [&](unsigned first, unsigned count) {
        for (unsigned i = first; i < first + count; ++i)
          put(results, i, empty_result<Bits>(kind.to));
      });
    }
    for_each_stretch(groups, [&](unsigned first, unsigned count) {
      std::memcpy(to + first * shape.result_bytes, results + first * shape.result_bytes,
                  count * shape.result_bytes);
    });
    from += uint64_t(src.layout.stride.repeat) * kBlockBytes;
    to += uint64_t(record.dst_repeat_stride) * shape.unit_bytes();
  }
  if (leaves_extreme(kind, state.soc) && plan.repeats() != 0) extreme.leave_in(memory.cells());
}

}  // namespace

void run_reduce(const ReduceRecord& record, ReduceKind kind, const LanePlan& plan,
                const State& state, Memory& memory) {
  if (record.src.dtype == DType::kFloat) {
    run<uint32_t, false>(record, kind, plan, state, memory);
  } else if (state.registers.overflow.floats_saturate) {
    run<uint16_t, true>(record, kind, plan, state, memory);
  } else {
    run<uint16_t, false>(record, kind, plan, state, memory);
  }
}

}  // namespace vinci::vector
