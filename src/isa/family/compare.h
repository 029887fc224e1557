// Comparisons of lanes: a bit for each. Bits of repeats lie in the destination one after the other,
// those of a repeat in 16 bytes, or 8 for 32-bit elements.
#pragma once

#include <array>

#include "core/instruction.h"
#include "isa/family/walk.h"

namespace vinci::vector {

// Every pair of a destination and a source.
template <size_t m, size_t n>
constexpr std::array<Signature, m * n> each_with(const DType (&dst)[m], const DType (&src)[n]) {
  std::array<Signature, m * n> all;
  for (size_t i = 0; i < m * n; ++i) all[i] = {dst[i / n], src[i % n]};
  return all;
}

// What TIK keeps bits in.
inline constexpr DType kBitTensors[] = {DType::kUint8, DType::kUint16, DType::kUint32,
                                        DType::kUint64};

// The sources of a comparison; the destination has no lanes of its own.
View compared(const CompareRecord& record);

// Reads the sources of one call, and compares.
class Comparer {
 public:
  Comparer(const CompareRecord& record, const View& view, const Core& core);

  // Bits of lanes 0..end-1 of a repeat; the others' are any.
  void compare(uint64_t repeat, unsigned end, uint64_t bits[2]);

 private:
  // All lanes of a source, in its room if those from `end` on may not be read.
  const uint8_t* lanes(unsigned source, uint64_t repeat, unsigned end);

  const CompareRecord& record_;
  const View& view_;
  const uint8_t* start_[2] = {nullptr, nullptr};
  alignas(64) uint8_t room_[2][kRepeatBytes] = {};
};

// What instructions that compare into a tensor have in common.
Signature compare_signature(const CompareRecord& record);
void check_compare(const CompareRecord& record, Check& check);
void add_compare(const CompareRecord& record, Core& core, Footprint& footprint);
void execute_compare(const CompareRecord& record, Core& core);

// int32 may be refused but for kEqual.
inline void check_int32(const CompareRecord& record, bool equal_only, Check& check) {
  if (!equal_only || record.src0.dtype != DType::kInt32) return;
  if (record.comparison == Comparison::kEqual) return;
  check.fail(Code::kSocTypes, "int32 has no order here", "CMPMODE::EQ");
}

// rules(record, check): those of its own.
template <auto rules>
constexpr Instruction compare_instruction(std::string_view mnemonic, std::string_view api,
                                          std::span<const Support> support) {
  constexpr auto pipe = [](const CompareRecord&, const Soc&) { return Pipe::kV; };
  constexpr auto check_all = [](const CompareRecord& record, Check& check) {
    rules(record, check);
    if (check.ok()) check_compare(record, check);
  };
  return make_instruction<CompareRecord, compare_signature, pipe, check_all, add_compare,
                          execute_compare>(mnemonic, api, api, support);
}

}  // namespace vinci::vector
