// Comparing, and where the bits go.
#include "isa/family/compare.h"

#include <cstring>

#include <fmt/format.h>

#include "isa/family/operation.h"

namespace vinci::vector {
namespace {

// A comparison with NaN holds in none of the six, kNotEqual included. Vectors give -1 where it
// holds, numbers true.
struct Less {
  template <class T>
  static auto holds(T a, T b) {
    return a < b;
  }
};
struct Greater {
  template <class T>
  static auto holds(T a, T b) {
    return a > b;
  }
};
struct Equal {
  template <class T>
  static auto holds(T a, T b) {
    return a == b;
  }
};
struct LessEqual {
  template <class T>
  static auto holds(T a, T b) {
    return a <= b;
  }
};
struct GreaterEqual {
  template <class T>
  static auto holds(T a, T b) {
    return a >= b;
  }
};
struct NotEqual {
  template <class T>
  static auto holds(T a, T b) {
    return (a < b) | (a > b);
  }
};

// The bits of 64 lanes.
template <class Op, class T>
uint64_t bits_of_64(const Stored<T>* a, const Stored<T>* b) {
  uint64_t bits = 0;
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, half>) {
    for (unsigned i = 0; i < 64; i += kFloatsAtOnce) {
      bits |= uint64_t(sign_bits(Op::holds(load(a + i), load(b + i)))) << i;
    }
  } else {
    for (unsigned i = 0; i < 64; ++i) bits |= uint64_t(Op::holds(a[i], b[i]) != 0) << i;
  }
  return bits;
}

template <class Op, class T>
void compare_type(const uint8_t* a, const uint8_t* b, unsigned lanes, uint64_t bits[2]) {
  for (unsigned i = 0; i < lanes; i += 64) {
    bits[i / 64] = bits_of_64<Op, T>(reinterpret_cast<const Stored<T>*>(a) + i,
                                     reinterpret_cast<const Stored<T>*>(b) + i);
  }
}

template <class Op>
void compare_all(DType type, const uint8_t* a, const uint8_t* b, unsigned lanes, uint64_t bits[2]) {
  with_type<kCompared>(type, [&]<class T>() { compare_type<Op, T>(a, b, lanes, bits); });
}

// Whether a call that writes to memory works on the lanes that its mask enables; else it works on
// all, and the mask is not looked at.
bool masked(const CompareRecord& record, const Soc& soc) {
  return record.lanes.form == Lanes::Form::kCount || soc.has(Feature::kCompareMask);
}

unsigned bytes_per_repeat(const View& view) { return view.lanes / 8; }

// dst may start where a source does, as its repeats are shorter than the source's.
void check_apart(const CompareRecord& record, const LaneOperand& src, const LanePlan& plan,
                 unsigned bytes, Check& check) {
  const uint64_t start = record.dst.address;
  if (!overlap(start, start + plan.repeats() * bytes, src.operand->address, lanes_end(src, plan))) {
    return;
  }
  if (start == src.operand->address && (plan.repeats() == 1 || src.layout.stride.repeat != 0)) {
    return;
  }
  check.fail(Code::kOverlap, fmt::format("dst and {} overlap in part", src.name),
             "the same start and a repeat stride of 1 or more, or no overlap");
}

}  // namespace

View compared(const CompareRecord& record) {
  View view{};
  view.sources = record.src1.dtype == DType::kNone ? 1 : 2;
  view.lanes = lanes_per_repeat(bits_of(record.src0.dtype));
  const auto source = [&](const char* name, const Operand& operand, Stride stride) {
    Layout layout = layout_of(record.src0.dtype, stride);
    if (record.lanes.form == Lanes::Form::kCount) layout.stride = contiguous(layout, view.lanes);
    return LaneOperand{&operand, layout, name};
  };
  view.src[0] = source(view.sources == 2 ? "src0" : "src", record.src0, record.src0_stride);
  view.src[1] = source("src1", record.src1, record.src1_stride);
  return view;
}

Comparer::Comparer(const CompareRecord& record, const View& view, const Memory& memory)
    : record_(record), view_(view) {
  for (unsigned i = 0; i < view.sources; ++i) start_[i] = memory.data(*view.src[i].operand);
  if (view.sources == 2) return;
  const unsigned width = bits_of(record.src0.dtype) / 8;
  for (unsigned i = 0; i < view.lanes; ++i) {
    std::memcpy(room_[1] + i * width, &record.scalar, width);
  }
}

const uint8_t* Comparer::lanes(unsigned source, uint64_t repeat, unsigned end) {
  uint8_t* room = room_[source];
  if (source >= view_.sources) return room;
  const Layout& layout = view_.src[source].layout;
  const uint8_t* found = lanes_of(layout, start_[source], repeat, end, room);
  if (end == view_.lanes || found == room) return found;
  std::memcpy(room, found, layout.bytes(end));
  return room;
}

void Comparer::compare(uint64_t repeat, unsigned end, uint64_t bits[2]) {
  const DType type = record_.src0.dtype;
  const uint8_t *a = lanes(0, repeat, end), *b = lanes(1, repeat, end);
  switch (record_.comparison) {
    case Comparison::kLess: return compare_all<Less>(type, a, b, view_.lanes, bits);
    case Comparison::kGreater: return compare_all<Greater>(type, a, b, view_.lanes, bits);
    case Comparison::kEqual: return compare_all<Equal>(type, a, b, view_.lanes, bits);
    case Comparison::kLessEqual: return compare_all<LessEqual>(type, a, b, view_.lanes, bits);
    case Comparison::kGreaterEqual: return compare_all<GreaterEqual>(type, a, b, view_.lanes, bits);
    case Comparison::kNotEqual: return compare_all<NotEqual>(type, a, b, view_.lanes, bits);
  }
}

ComparePlan plan_compare(const CompareRecord& record, const State& state) {
  const View view = compared(record);
  const MaskRegister& mask = state.registers.mask;
  // Without a mask, Counter mode still says how many elements there are.
  if (masked(record, state.soc) || counts(record.lanes, mask)) {
    return {view, LanePlan(record.lanes, mask, view.lanes)};
  }
  return {view, LanePlan(lanes_continuous(view.lanes, record.lanes.repeats), {}, view.lanes)};
}

void check_compare(const CompareRecord& record, const ComparePlan& plan, Check& check) {
  const View& view = plan.view;
  check_operand("dst", record.dst, check);
  for (unsigned i = 0; i < view.sources; ++i) {
    check_operand(view.src[i].name, *view.src[i].operand, check);
  }
  if (!plan.lanes.counted()) check.range("repeatTime", record.lanes.repeats, 0, 255);
  if (masked(record, check.soc())) {
    check_lanes(record.lanes, view.lanes, false, check.soc().has(Feature::kMaskZeroIsNop), check);
  }
  if (!check.ok()) return;
  const LanePlan& lanes = plan.lanes;
  const bool whole = lanes.contiguous() || !check.soc().has(Feature::kCompareMask);
  if (lanes.counted() && whole) {
    check.multiple("the number of elements", int64_t(lanes.count()), view.lanes);
  }
  for (unsigned i = 0; i < view.sources && check.ok() && lanes.repeats() != 0; ++i) {
    check_apart(record, view.src[i], lanes, bytes_per_repeat(view), check);
  }
}

void add_compare(const CompareRecord& record, const ComparePlan& plan, Footprint& footprint) {
  for (unsigned i = 0; i < plan.view.sources; ++i) {
    add_lanes(footprint, plan.view.src[i], Access::kRead, plan.lanes);
  }
  footprint.add_bytes(record.dst, "dst", Access::kWrite, 0,
                      plan.lanes.repeats() * bytes_per_repeat(plan.view));
}

void run_compare(const CompareRecord& record, const ComparePlan& plan, Memory& memory) {
  Comparer comparer(record, plan.view, memory);
  uint8_t* dst = memory.data(record.dst);
  const unsigned bytes = bytes_per_repeat(plan.view);
  for (uint64_t repeat = 0; repeat < plan.lanes.repeats(); ++repeat) {
    uint64_t bits[2] = {0, 0}, enabled[2] = {0, 0};
    comparer.compare(repeat, plan.lanes.end_lane(repeat), bits);
    plan.lanes.enabled_in(repeat, enabled);
    for (unsigned i = 0; i < 2; ++i) bits[i] &= enabled[i];
    std::memcpy(dst + repeat * bytes, bits, bytes);
  }
}

void advance_compare(const CompareRecord& record, const ComparePlan& plan, const Soc& soc,
                     Registers& registers) {
  if (!masked(record, soc)) return;
  advance_mask(record, plan, soc, registers);
}

}  // namespace vinci::vector
