// select: dst[i] = src0[i] where a bit is set, else src1[i] or the scalar.
//
// The bits come from CMPMASK, the same for each repeat, or from UB, one after the other. Sources
// and decisions: docs/spec/select.md.
#include <fmt/format.h>

#include "isa/family/elementwise.h"
#include "isa/family/operation.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;
using enum DType;
using Mode = SelectRecord::Mode;

constexpr DType kBitTypes[] = {kUint8, kUint16, kUint32, kUint64};

// With bits in a tensor, and without.
template <size_t n>
constexpr std::array<Signature, 5 * n> selected(const DType (&types)[n]) {
  std::array<Signature, 5 * n> all;
  for (size_t i = 0; i < n; ++i) {
    all[5 * i] = types[i];
    for (size_t k = 0; k < 4; ++k) all[5 * i + k + 1] = {types[i], types[i], kBitTypes[k]};
  }
  return all;
}

constexpr auto kHalves = selected({kHalf});
constexpr auto kFloats = selected({kHalf, kFloat});
constexpr auto kWithBytes = selected({kHalf, kFloat, kInt8, kUint8});
constexpr Support kSupport[] = {
    {kArch1000, kHalves},
    {kArch1001 | kArch2002 | kArch2201, kFloats},
    {kArch2002Vector, kFloats, true, kTik},
    {kArch3002, kFloats, true, kAscendC},
    {kArch3002, kWithBytes, true, kTik},
};

Signature signature(const SelectRecord& record) {
  if (record.sel.dtype == kNone) return signature_of<SelectRecord>(record);
  return {record.dst.dtype, record.src0.dtype, record.sel.dtype};
}
Pipe pipe(const SelectRecord&, const Soc&) { return Pipe::kV; }

// The bits in UB, or nullptr if CMPMASK itself has them.
const Operand* bits_in_ub(const SelectRecord& record, const Registers& registers) {
  if (record.sel.dtype != kNone) return &record.sel;
  return record.mode == Mode::kOneRepeat ? nullptr : &registers.compare_mask.pointee;
}

LanePlan plan_of(const SelectRecord& record, const View& view, const Registers& registers) {
  return {record.lanes, registers.mask, view.lanes};
}

// Bytes of bits from one repeat to the next.
uint64_t bits_step(const SelectRecord& record, const View& view) {
  return record.mode == Mode::kOneRepeat ? 0 : view.lanes / 8;
}

// Bytes of bits that repeat r needs.
uint64_t bits_bytes(const LanePlan& plan, uint64_t r) { return (plan.end_lane(r) + 7) / 8; }

void check_mode(const SelectRecord& record, Check& check) {
  const bool scalar = record.mode == Mode::kTensorScalar;
  check.range("selMode", int64_t(record.mode), 0, 2);
  if (!check.ok()) return;
  if (record.mode != Mode::kOneRepeat && !check.soc().has(Feature::kSelectFromUb)) {
    check.fail(Code::kSocInstruction,
               fmt::format("{} does not have mode {}", check.soc().name, int(record.mode)),
               "mode 0, VSEL_CMPMASK_SPR");
  } else if (scalar != (record.src1.dtype == kNone)) {
    check.fail(
        Code::kCombination,
        fmt::format("mode {} with a {} for src1", int(record.mode), scalar ? "tensor" : "scalar"),
        "a scalar with mode 1, a tensor with modes 0 and 2");
  } else if (record.mode == Mode::kTensorTensor && record.sel.dtype == kNone &&
             check.registers().compare_mask.pointee.dtype == kNone) {
    check.fail(Code::kCombination, "mode 2 without selMask, and CMPMASK holds no address",
               "SetCmpMask before, with the address of selMask");
  }
}

void check(const SelectRecord& record, Check& check) {
  check_mode(record, check);
  if (!check.ok()) return;
  const View view = view_of(record);
  check_view(view, record.lanes, false, check);
  const Operand* bits = bits_in_ub(record, check.registers());
  if (bits == nullptr) return;
  check_operand("selMask", *bits, check);
  if (!check.ok()) return;
  const LanePlan plan = plan_of(record, view, check.registers());
  if (plan.repeats() == 0) return;
  const uint64_t bytes =
      (plan.repeats() - 1) * bits_step(record, view) + bits_bytes(plan, plan.repeats() - 1);
  if (meet(record.dst.address, lanes_end(view.dst, plan), bits->address, bits->address + bytes)) {
    check.fail(Code::kOverlap, "dst and selMask overlap", "no overlap");
  }
}

void footprint(const SelectRecord& record, Core& core, Footprint& footprint) {
  const View view = view_of(record);
  const Operand* bits = bits_in_ub(record, core.registers());
  const LanePlan plan = plan_of(record, view, core.registers());
  if (bits != nullptr && plan.repeats() != 0) {
    const uint64_t last = plan.repeats() - 1, step = bits_step(record, view);
    if (last != 0) {
      footprint.add_blocks(*bits, "selMask", Access::kRead, 0, bits_bytes(plan, 0), last,
                           int64_t(step));
    }
    footprint.add_bytes(*bits, "selMask", Access::kRead, last * step, bits_bytes(plan, last));
  }
  add_view(view, record.lanes, core, footprint);
}

// Element i of each source, by bit i.
template <class S>
void select_lanes(const uint8_t* bits, const S* yes, const S* no, S* out, size_t count) {
  VINCI_LANE_LOOP
  for (size_t i = 0; i < count; ++i) out[i] = bits[i / 8] >> (i % 8) & 1 ? yes[i] : no[i];
}

// The bits of repeats, in ascending order.
struct Bits {
  const uint8_t* at;
  uint64_t step;
};

template <class S>
void select_rows(const LaneRows& rows, unsigned lanes, uint64_t scalar_bits, Bits& bits) {
  S scalars[kMostLanes];
  std::fill_n(scalars, lanes, scalar_of<S>(scalar_bits));
  rows.for_each([&](const LaneArrays& arrays) {
    const auto* yes = reinterpret_cast<const S*>(arrays.src[0]);
    const auto* no = reinterpret_cast<const S*>(arrays.src[1]);
    auto* out = reinterpret_cast<S*>(arrays.dst);
    for (size_t first = 0; first < arrays.count; first += lanes) {
      select_lanes(bits.at, yes + first, no == nullptr ? scalars : no + first, out + first,
                   std::min<size_t>(lanes, arrays.count - first));
      bits.at += bits.step;
    }
  });
}

void execute(const SelectRecord& record, Core& core) {
  const View view = view_of(record);
  Registers& registers = core.registers();
  const Operand* in_ub = bits_in_ub(record, registers);
  const uint64_t* held = registers.compare_mask.bits;
  Bits bits{in_ub != nullptr ? core.data(*in_ub) : reinterpret_cast<const uint8_t*>(held),
            bits_step(record, view)};
  const uint64_t scalar = record.scalar_dtype == kNone ? held[0] : record.scalar;
  walk(view, plan_of(record, view, registers), core, [&](const LaneRows& rows) {
    switch (bits_of(record.dst.dtype)) {
      case 8: return select_rows<uint8_t>(rows, view.lanes, scalar, bits);
      case 16: return select_rows<uint16_t>(rows, view.lanes, scalar, bits);
      default: return select_rows<uint32_t>(rows, view.lanes, scalar, bits);
    }
  });
  registers.mask = mask_after(record.lanes, registers.mask, view.lanes, core.soc());
}

}  // namespace

extern constinit const Instruction select =
    make_instruction<SelectRecord, signature, pipe, check, footprint, execute>("select", "Select",
                                                                               "Select", kSupport);

}  // namespace vinci::isa
