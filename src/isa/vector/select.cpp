// select: dst[i] = src0[i] where a bit is set, else src1[i] or the scalar.
//
// The bits come from CMPMASK, the same for each repeat, or from UB, one after the other. Sources
// and decisions: docs/spec/select.md.
#include <span>

#include <fmt/format.h>

#include "isa/family/elementwise.h"
#include "isa/family/operation.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;
using enum DType;
using Mode = SelectRecord::Mode;

// What may hold bits, and what the documents name.
constexpr DType kBitTypes[] = {kUint8, kUint16, kUint32, kUint64, kInt8, kInt16, kInt32, kInt64};
constexpr std::span<const DType> kBits(kBitTypes, 4);
constexpr DType kFloatTypes[] = {kHalf, kFloat};

// With bits in a tensor, of the first so many types, and without.
template <size_t masks, size_t n>
constexpr std::array<Signature, (masks + 1) * n> selected(const DType (&types)[n]) {
  std::array<Signature, (masks + 1) * n> all;
  auto* next = all.data();
  for (const DType type : types) {
    *next++ = type;
    for (size_t k = 0; k < masks; ++k) *next++ = {type, type, kBitTypes[k]};
  }
  return all;
}

constexpr auto kHalves = selected<4>({kHalf});
constexpr auto kFloats = selected<4>({kHalf, kFloat});
constexpr auto kBySize = selected<8>({kHalf, kFloat, kInt16, kUint16, kInt32, kUint32});
constexpr auto kWithBfloat16 =
    selected<8>({kHalf, kFloat, kInt16, kUint16, kInt32, kUint32, kBfloat16});
constexpr auto kWithBytes = selected<4>({kHalf, kFloat, kInt8, kUint8});
constexpr Support kSupport[] = {
    {kArch1000, kHalves},
    {kArch1001 | kArch2002, kBySize, true, kAscendC},
    {kArch2201 | kArch3002, kWithBfloat16, true, kAscendC},
    {kArch1001 | kArch2002 | kArch2201 | kArch2002Vector, kFloats, true, kTik},
    {kArch3002, kWithBytes, true, kTik},
};

Signature signature(const SelectRecord& record) {
  if (record.sel.dtype == kNone) return signature_of<SelectRecord>(record);
  return {record.dst.dtype, record.src0.dtype, record.sel.dtype};
}

// Where the bits of a call come from.
enum class Source : uint8_t { kTensor, kRegister, kAddressInRegister };

Source source_of(const SelectRecord& record) {
  if (record.sel.dtype != kNone) return Source::kTensor;
  return record.mode == Mode::kOneRepeat ? Source::kRegister : Source::kAddressInRegister;
}

// What CMPMASK points to: what GetPhyAddr gave, of which kernels keep the low 32 bits, or an offset
// from the start of UB.
Operand pointee_of(const Memory& memory, const Soc& soc) {
  const auto start = uint32_t(reinterpret_cast<uintptr_t>(memory.start_of(Space::kUb)));
  const auto low = uint32_t(memory.cells().compare_mask[0]);
  const uint32_t offset = low - start;
  const uint64_t address = offset < soc.size_of(Space::kUb) ? offset : low;
  return {address, kUnknownExtent, 0, Position::VECCALC, kUint8};
}

ElementwisePlan plan(const SelectRecord& record, const State& state) {
  return plan_of(view_of(record), record.lanes, state);
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
             !check.registers().compare_mask_is_address) {
    check.fail(Code::kCombination, "mode 2 without selMask, and CMPMASK holds no address",
               "SetCmpMask before, with the address of selMask");
  }
}

// dst and the bits, which are some in UB.
bool overlaps(const SelectRecord& record, const ElementwisePlan& plan, const Operand& bits) {
  if (plan.lanes.repeats() == 0) return false;
  const uint64_t last = plan.lanes.repeats() - 1;
  const uint64_t bytes = last * bits_step(record, plan.view) + bits_bytes(plan.lanes, last);
  return overlap(record.dst.address, lanes_end(plan.view.dst, plan.lanes), bits.address,
                 bits.address + bytes);
}

void check(const SelectRecord& record, const ElementwisePlan& plan, Check& check) {
  check_mode(record, check);
  if (!check.ok()) return;
  check_view(plan, record.lanes, false, check);
  if (!check.ok()) return;
  tell_types_by_size("dst", record.dst.dtype, kFloatTypes, check);
  if (source_of(record) != Source::kTensor) return;
  check_operand("selMask", record.sel, check);
  if (check.ok()) tell_types_by_size("selMask", record.sel.dtype, kBits, check);
  if (check.ok() && overlaps(record, plan, record.sel)) {
    check.fail(Code::kOverlap, "dst and selMask overlap", "no overlap");
  }
}

void add_bits(const SelectRecord& record, const ElementwisePlan& plan, const Operand& bits,
              Footprint& footprint) {
  const uint64_t last = plan.lanes.repeats() - 1, step = bits_step(record, plan.view);
  if (last != 0) {
    footprint.add_blocks(bits, "selMask", Access::kRead, 0, bits_bytes(plan.lanes, 0), last,
                         int64_t(step));
  }
  footprint.add_bytes(bits, "selMask", Access::kRead, last * step, bits_bytes(plan.lanes, last));
}

// The bits where CMPMASK says.
void add_pointee(const SelectRecord& record, const ElementwisePlan& plan, Footprint& footprint) {
  const Memory* memory = footprint.settle();
  if (memory == nullptr) return;
  const Operand bits = pointee_of(*memory, footprint.soc());
  if (bits.address % kBlockBytes != 0) {
    footprint.fail(Code::kMisaligned, fmt::format("selMask starts at byte {} of UB", bits.address),
                   fmt::format("a multiple of {} bytes", kBlockBytes));
  } else if (overlaps(record, plan, bits)) {
    footprint.fail(Code::kOverlap, "dst and selMask overlap", "no overlap");
  } else {
    add_bits(record, plan, bits, footprint);
  }
}

// The bytes of CMPMASK that count: its bits, an address of 32 bits, a scalar.
uint64_t register_bytes(const SelectRecord& record, const ElementwisePlan& plan) {
  switch (source_of(record)) {
    case Source::kRegister: return bits_bytes(plan.lanes, 0);
    case Source::kAddressInRegister: return sizeof(uint32_t);
    case Source::kTensor: break;
  }
  const bool scalar = record.mode == Mode::kTensorScalar && record.scalar_dtype == kNone;
  return scalar ? bits_of(record.dst.dtype) / 8 : 0;
}

void footprint(const SelectRecord& record, const ElementwisePlan& plan, Footprint& footprint) {
  if (plan.lanes.repeats() == 0) return;
  const Source source = source_of(record);
  footprint.add_hidden(Space::kCells, "CMPMASK", Access::kRead, offsetof(Cells, compare_mask),
                       register_bytes(record, plan));
  if (source == Source::kTensor) add_bits(record, plan, record.sel, footprint);
  if (source == Source::kAddressInRegister) add_pointee(record, plan, footprint);
  add_view(plan, footprint);
}

// Element i of each source, by bit i.
template <class S>
void select_lanes(const uint8_t* bits, const S* yes, const S* no, S* out, size_t count) {
  constexpr size_t kAtOnce = 32;
  uint32_t word = 0;
  const auto select_from = [&](size_t first, size_t lanes) {
    VINCI_LANE_LOOP
    for (size_t i = first; i < first + lanes; ++i) {
      out[i] = word >> (i - first) & 1 ? yes[i] : no[i];
    }
  };
  size_t done = 0;
  for (; done + kAtOnce <= count; done += kAtOnce) {
    std::memcpy(&word, bits + done / 8, sizeof(word));
    select_from(done, kAtOnce);
  }
  if (done == count) return;
  std::memcpy(&word, bits + done / 8, (count - done + 7) / 8);
  select_from(done, count - done);
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

void run(const SelectRecord& record, const ElementwisePlan& plan, const State& state,
         Memory& memory) {
  const uint64_t* held = memory.cells().compare_mask;
  Bits bits{reinterpret_cast<const uint8_t*>(held), bits_step(record, plan.view)};
  switch (source_of(record)) {
    case Source::kTensor: bits.at = memory.data(record.sel); break;
    case Source::kRegister: break;
    case Source::kAddressInRegister: bits.at = memory.data(pointee_of(memory, state.soc)); break;
  }
  const uint64_t scalar = record.scalar_dtype == kNone ? held[0] : record.scalar;
  const unsigned lanes = plan.view.lanes;
  walk(plan.view, plan.lanes, memory, [&](const LaneRows& rows) {
    with_width<kSupport>(record.dst.dtype,
                         [&]<class U>() { select_rows<U>(rows, lanes, scalar, bits); });
  });
}

constexpr Functions<SelectRecord, ElementwisePlan> kFunctions{.signature = signature,
                                                              .pipe = Pipe::kV,
                                                              .plan = plan,
                                                              .check = check,
                                                              .footprint = footprint,
                                                              .run = run,
                                                              .advance = advance_mask};

}  // namespace

extern constinit const Instruction select =
    make_instruction<kFunctions>("select", "Select", "Select", kSupport);

}  // namespace vinci::isa
