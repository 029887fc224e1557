// Conversions without a scale, as Cast and TIK's vec_conv do them.
#pragma once

#include "isa/family/elementwise.h"
#include "isa/family/types.h"
#include "kernel/convert_array.h"

namespace vinci::vector {

// The sets of round modes that tables of types have.
namespace round_sets {
inline constexpr RoundSet kN = set_of(Round::kNone);
inline constexpr RoundSet kOdd = set_of(Round::kOdd);
inline constexpr RoundSet kR = set_of(Round::kRint);
inline constexpr RoundSet kThree = kR | set_of(Round::kFloor) | set_of(Round::kCeil);
inline constexpr RoundSet kFiveButRint =
    set_of(Round::kFloor) | set_of(Round::kCeil) | set_of(Round::kRound) | set_of(Round::kTrunc);
inline constexpr RoundSet kFive = kR | kFiveButRint;
}  // namespace round_sets

inline bool is_int32_to_half(const CastRecord& record) {
  return record.dst.dtype == DType::kHalf && record.src0.dtype == DType::kInt32;
}

inline Signature conversion_signature(const CastRecord& record) {
  return {record.dst.dtype, record.src0.dtype, set_of(record.round)};
}

// The loop from one type to another, without a scale. The core's modes say what becomes of results
// that their type cannot hold.
inline ConvertArray conversion_between(DType to, DType from, Round round,
                                       const OverflowModes& modes) {
  const bool to_float = to == DType::kHalf || to == DType::kBfloat16;
  const bool saturates = to_float ? modes.floats_saturate : !modes.casts_keep_low_bits;
  return convert_array(to, from, round, saturates ? Overflow::kSaturate : Overflow::kWrapOrInf);
}

inline void convert_rows(const CastRecord& record, const State& state, const LaneRows& rows) {
  const ConvertArray convert = conversion_between(record.dst.dtype, record.src0.dtype, record.round,
                                                  state.registers.overflow);
  rows.for_each(
      [&](const LaneArrays& arrays) { convert(arrays.src[0], arrays.dst, arrays.count); });
}

inline View conversion_view(const CastRecord& record) {
  View view = view_of(record);
  view.widens = true;
  return view;
}

// Whether there is a loop for each conversion of a table; int32 to half has a scale.
template <class Table>
constexpr bool converts_all(const Table& table) {
  return each_signature(table, [](const Signature& s) {
    const DType to = type_at(s, 0), from = type_at(s, 1);
    return converts(to, from) || (to == DType::kHalf && from == DType::kInt32);
  });
}

// compute(record, state, rows) and check(record, check) as in elementwise_instruction.
template <auto compute, auto check, const auto& support>
constexpr Instruction conversion_instruction(std::string_view mnemonic, std::string_view api) {
  static_assert(converts_all(support));
  return elementwise_instruction<CastRecord, 1, compute, check, conversion_view, never_accumulates,
                                 conversion_signature>(mnemonic, api, support);
}

}  // namespace vinci::vector
