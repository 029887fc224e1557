// Comparisons of lanes: a bit for each. Bits of repeats lie in the destination one after the other,
// those of a repeat in 16 bytes, or 8 for 32-bit elements.
#pragma once

#include <array>

#include "core/instruction.h"
#include "isa/family/types.h"
#include "isa/family/walk.h"

namespace vinci::vector {

// Every pair of a destination and a source.
template <size_t m, size_t n>
constexpr std::array<Signature, m * n> each_with(const DType (&dst)[m], const DType (&src)[n]) {
  std::array<Signature, m * n> all;
  for (size_t i = 0; i < m * n; ++i) all[i] = {dst[i / n], src[i % n]};
  return all;
}

// What Comparer compares. Instructions name some of them in their tables.
inline constexpr Signature kCompared[] = {DType::kHalf,  DType::kFloat, DType::kInt8,
                                          DType::kUint8, DType::kInt16, DType::kUint16,
                                          DType::kInt32, DType::kUint32};

// What may hold bits: the documents name integers of 8 bits.
inline constexpr DType kBitBytes[] = {DType::kInt8, DType::kUint8};
inline constexpr DType kBitIntegers[] = {DType::kInt8,   DType::kUint8, DType::kInt16,
                                         DType::kUint16, DType::kInt32, DType::kUint32,
                                         DType::kInt64,  DType::kUint64};

// What TIK keeps bits in.
inline constexpr DType kBitTensors[] = {DType::kUint8, DType::kUint16, DType::kUint32,
                                        DType::kUint64};

// The sources of a comparison; the destination has no lanes of its own.
View compared(const CompareRecord& record);

// Reads the sources of one call, and compares. `record`, `view` and the memory outlive it.
class Comparer {
 public:
  Comparer(const CompareRecord& record, const View& view, const Memory& memory);

  // Bits of lanes 0..end-1 of a repeat, lane i in bit i % 64 of bits[i / 64]; the others' are any.
  // No comparison with NaN holds.
  void compare(uint64_t repeat, unsigned end, uint64_t bits[2]);

 private:
  // All lanes of a source, in its room if those from `end` on may not be read.
  const uint8_t* lanes(unsigned source, uint64_t repeat, unsigned end);

  const CompareRecord& record_;
  const View& view_;
  const uint8_t* start_[2] = {nullptr, nullptr};
  alignas(64) uint8_t room_[2][kRepeatBytes] = {};
};

// The sources of a comparison, and its lanes.
struct ComparePlan {
  View view;
  LanePlan lanes;
};

// What instructions that compare into a tensor have in common. Lanes that are not enabled become 0
// bits. Where the chip has no mask for them (Feature::kCompareMask) all lanes of whole repeats are
// compared, and MASK stays as it is.
ComparePlan plan_compare(const CompareRecord& record, const State& state);
void check_compare(const CompareRecord& record, const ComparePlan& plan, Check& check);
void add_compare(const CompareRecord& record, const ComparePlan& plan, Footprint& footprint);
void run_compare(const CompareRecord& record, const ComparePlan& plan, Memory& memory);
void advance_compare(const CompareRecord& record, const ComparePlan& plan, const Soc& soc,
                     Registers& registers);

// int32 may be refused but for kEqual, as a type that the chip lacks (kSocTypes).
inline void check_int32(const CompareRecord& record, bool equal_only, Check& check) {
  if (!equal_only || record.src0.dtype != DType::kInt32) return;
  if (record.comparison == Comparison::kEqual) return;
  check.fail(Code::kSocTypes, "int32 has no order here", "CMPMODE::EQ");
}

template <auto rules>
inline constexpr Functions<CompareRecord, ComparePlan> kCompare{
    .signature =
        [](const CompareRecord& record) { return Signature(record.dst.dtype, record.src0.dtype); },
    .pipe = Pipe::kV,
    .plan = plan_compare,
    .check =
        [](const CompareRecord& record, const ComparePlan& plan, Check& check) {
          rules(record, check);
          if (check.ok()) check_compare(record, plan, check);
          if (check.ok()) tell_types_by_size("dst", record.dst.dtype, kBitBytes, check);
        },
    .footprint = add_compare,
    .run = [](const CompareRecord& record, const ComparePlan& plan, const State&,
              Memory& memory) { run_compare(record, plan, memory); },
    .advance = advance_compare};

// rules(record, check): those of its own.
template <auto rules, const auto& support>
constexpr Instruction compare_instruction(std::string_view mnemonic, std::string_view api) {
  static_assert(names_only(support, kCompared, 1));
  return make_instruction<kCompare<rules>>(mnemonic, api, api, support);
}

}  // namespace vinci::vector
