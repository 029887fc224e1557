// Boxes of region proposals: their areas, what two of them have in common, and sums of two areas.
// Each step's result becomes the type of the operands.
#pragma once

#include <array>

#include <fmt/format.h>

#include "isa/family/sort.h"
#include "kernel/half_array.h"
#include "vinci/record/proposal.h"

namespace vinci::vector {

inline constexpr Support kBoxSupport[] = {{kArch1000 | kArch1001, kSortHalf, true, kTik},
                                          {kArch2002, kSortFloats, true, kTik}};

// One number of each of 16 proposals.
using Sixteen = std::array<float, kProposalsInRepeat>;

struct Boxes {
  Sixteen left, top, right, bottom;
};

class BoxArithmetic {
 public:
  BoxArithmetic(DType dtype, const Registers& registers)
      : half_(dtype == DType::kHalf),
        saturate_(registers.overflow.floats_saturate),
        offset_(registers.box_offset) {}

  uint64_t element_bytes() const { return half_ ? sizeof(uint16_t) : sizeof(float); }

  // Number i stands at element i * step.
  Sixteen numbers(const uint8_t* src, unsigned step = 1) const {
    Sixteen found;
    uint16_t halves[kProposalsInRepeat];
    for (unsigned i = 0; i < kProposalsInRepeat; ++i) {
      const uint8_t* from = src + i * step * element_bytes();
      half_ ? std::memcpy(halves + i, from, sizeof(uint16_t))
            : std::memcpy(&found[i], from, sizeof(float));
    }
    if (half_) floats_of_halves(halves, found.data(), found.size());
    return found;
  }

  Boxes boxes(const uint8_t* src) const {
    const auto field = [&](unsigned number) {
      return numbers(src + number * element_bytes(), kProposalElements);
    };
    return {field(0), field(1), field(2), field(3)};
  }

  Sixteen sums(float one, const Sixteen& others) const {
    return rounded(others, [&](float other) { return one + other; });
  }

  // `least`: what a side is at least.
  Sixteen areas(const Boxes& boxes, float least = -__builtin_inff()) const {
    Sixteen areas = sides(boxes.left, boxes.right, least);
    const Sixteen heights = sides(boxes.top, boxes.bottom, least);
    for (unsigned i = 0; i < areas.size(); ++i) areas[i] *= heights[i];
    return rounded(areas, [](float area) { return area; });
  }

  void write(const Sixteen& numbers, uint8_t* dst) const {
    uint16_t halves[kProposalsInRepeat];
    if (half_) halves_of_floats(numbers.data(), halves, numbers.size(), saturate_);
    std::memcpy(dst, half_ ? static_cast<const void*>(halves) : numbers.data(),
                numbers.size() * element_bytes());
  }

 private:
  Sixteen sides(const Sixteen& from, const Sixteen& to, float least) const {
    Sixteen sides;
    for (unsigned i = 0; i < sides.size(); ++i) sides[i] = to[i] - from[i];
    sides = rounded(sides, [](float apart) { return apart; });
    sides = rounded(sides, [&](float apart) { return apart + offset_; });
    for (float& side : sides) side = side < least ? least : side;
    return sides;
  }

  Sixteen rounded(const Sixteen& numbers, auto change) const {
    Sixteen changed;
    for (unsigned i = 0; i < changed.size(); ++i) {
      const float number = change(numbers[i]);
      changed[i] = number == number ? number : __builtin_nanf("");
    }
    if (!half_) return changed;
    uint16_t halves[kProposalsInRepeat];
    halves_of_floats(changed.data(), halves, changed.size(), saturate_);
    floats_of_halves(halves, changed.data(), changed.size());
    return changed;
  }

  bool half_, saturate_;
  float offset_;
};

// Elements of dst and src0 in a repeat, and those of src1 in the call; src1 0: there is none.
struct BoxSizes {
  unsigned dst, src0, src1;
};

inline Signature box_signature(const BoxRecord& record) {
  const DType dst = record.dst.dtype, src0 = record.src0.dtype, src1 = record.src1.dtype;
  if (src1 == DType::kNone || (src1 == dst && src1 == src0)) return types_of(dst, src0);
  return {dst, src0, src1};
}

template <BoxSizes sizes>
class BoxOperands {
 public:
  explicit BoxOperands(const BoxRecord& record) : record_(record) {}

  static constexpr const char* kFirst = sizes.src1 == 0 ? "src" : "src0";
  uint64_t dst_bytes() const { return bytes(record_.repeats, sizes.dst); }
  uint64_t src0_bytes() const { return bytes(record_.repeats, sizes.src0); }
  uint64_t src1_bytes() const { return bytes(record_.repeats == 0 ? 0 : 1, sizes.src1); }

  void check(Check& check) const {
    check_operand("dst", record_.dst, check);
    check_operand(kFirst, record_.src0, check);
    if (sizes.src1 != 0) check_operand("src1", record_.src1, check);
    check.range("repeat_times", record_.repeats, 0, 255);
    stays_apart(kFirst, record_.src0, src0_bytes(), check);
    if (sizes.src1 != 0) stays_apart("src1", record_.src1, src1_bytes(), check);
  }

  void add(Footprint& footprint) const {
    footprint.add_bytes(record_.src0, kFirst, Access::kRead, 0, src0_bytes());
    if (sizes.src1 != 0) {
      footprint.add_bytes(record_.src1, "src1", Access::kRead, 0, src1_bytes());
    }
    footprint.add_bytes(record_.dst, "dst", Access::kWrite, 0, dst_bytes());
  }

 private:
  uint64_t bytes(uint64_t repeats, unsigned elements) const {
    return repeats * elements * bits_of(record_.dst.dtype) / 8;
  }
  void stays_apart(const char* name, const Operand& src, uint64_t src_bytes, Check& check) const {
    const uint64_t to = record_.dst.address, from = src.address;
    if (!check.ok() || !overlap(to, to + dst_bytes(), from, from + src_bytes)) return;
    check.fail(Code::kOverlap, fmt::format("dst and {} overlap", name), "no overlap");
  }

  const BoxRecord& record_;
};

// compute(arithmetic, src0, src1, dst): one repeat; src1 is null where there is none.
template <BoxSizes sizes, auto compute>
void run_boxes(const BoxRecord& record, const State& state, Memory& memory) {
  const BoxArithmetic arithmetic(record.dst.dtype, state.registers);
  const uint8_t* src0 = memory.data(record.src0);
  const uint8_t* src1 = sizes.src1 == 0 ? nullptr : memory.data(record.src1);
  uint8_t* dst = memory.data(record.dst);
  for (int32_t repeat = 0; repeat < record.repeats; ++repeat) {
    compute(arithmetic, src0, src1, dst);
    src0 += sizes.src0 * arithmetic.element_bytes();
    dst += sizes.dst * arithmetic.element_bytes();
  }
}

template <BoxSizes sizes, auto compute>
inline constexpr Functions<BoxRecord> kBoxFunctions{
    .signature = box_signature,
    .pipe = Pipe::kV,
    .check = [](const BoxRecord& record, Check& c) { BoxOperands<sizes>(record).check(c); },
    .footprint = [](const BoxRecord& record,
                    Footprint& regions) { BoxOperands<sizes>(record).add(regions); },
    .run = run_boxes<sizes, compute>};

template <BoxSizes sizes, auto compute>
constexpr Instruction box_instruction(std::string_view mnemonic) {
  return make_instruction<kBoxFunctions<sizes, compute>>(mnemonic, mnemonic, mnemonic, kBoxSupport);
}

}  // namespace vinci::vector
