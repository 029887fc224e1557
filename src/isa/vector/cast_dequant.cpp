// cast_dequant: int16 times a scale, plus an offset, to int8 or uint8; int32 times a scale to half.
//
// The 16 results of 8 bits that come from a datablock of src fill one half of a datablock of dst;
// the other half stays. Sources and decisions: docs/spec/cast_dequant.md.
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "isa/family/deq_scale.h"
#include "isa/family/elementwise.h"

namespace vinci::isa {
namespace {

using enum DType;
using namespace vinci::vector;

constexpr Signature k2002[] = {{kInt8, kInt16}, {kUint8, kInt16}};
constexpr Signature k2201[] = {{kInt8, kInt16}, {kUint8, kInt16}, {kHalf, kInt32}};
constexpr Support kSupport[] = {
    {kArch2002, k2002}, {kArch2201, k2201}, {kArch2002Vector, k2002, true, kTik}};

constexpr unsigned kScales = 16;  // one for each lane of a datablock

bool to_8_bits(const CastDequantRecord& record) { return bits_of(record.dst.dtype) == 8; }

View view(const CastDequantRecord& record) {
  View view = view_of(record);
  if (!to_8_bits(record)) return view;
  Layout& dst = view.dst.layout;
  dst.per_block = kScales;
  dst.offset = record.high_half ? kBlockBytes / 2 : 0;
  if (record.lanes.form == Lanes::Form::kCount) dst.stride = contiguous(dst, view.lanes);
  return view;
}

bool has_other_sign(const CastDequantRecord& record, uint64_t word) {
  return (word >> 46 & 1) != (record.dst.dtype == kInt8);
}

void check_sign(const CastDequantRecord& record, uint64_t word, Check& check) {
  if (!has_other_sign(record, word)) return;
  const bool is_signed = record.dst.dtype == kInt8;
  check.warn(Code::kNoEffect,
             is_signed
                 ? "bit 46 of the scale is 0 (unsigned), and dst is int8: the results are signed"
                 : "bit 46 of the scale is 1 (signed), and dst is uint8: the results are unsigned",
             is_signed ? "bit 46 = 1: signMode = true" : "bit 46 = 0: signMode = false");
}

void check(const CastDequantRecord& record, Check& check) {
  const DeqScaleRegister& scale = check.registers().deq_scale;
  const bool from_table = scale.table.dtype != kNone;
  if (!to_8_bits(record)) {
    check_half_scale(check);
  } else if (record.vector && !from_table) {
    check.fail(Code::kCombination, "isVecDeq = true, and SetDeqScale has set no tensor of scales",
               "SetDeqScale(vdeqTensor, vdeqInfo)");
  } else if (!record.vector && (from_table || scale.is_half)) {
    check.fail(Code::kCombination,
               from_table ? "isVecDeq = false after SetDeqScale with a tensor of scales"
                          : "isVecDeq = false, and SetDeqScale has set no scale with an offset",
               "SetDeqScale(scale, offset, signMode)");
  } else if (!from_table) {
    check_sign(record, scale.word, check);
  }
}

uint64_t word_at(const Memory& memory, const Operand& table, unsigned i) {
  uint64_t word;
  std::memcpy(&word, memory.data(table) + i * sizeof(word), sizeof(word));
  return word;
}

bool has_table(const CastDequantRecord& record) { return to_8_bits(record) && record.vector; }

void footprint(const CastDequantRecord& record, const ElementwisePlan&, Footprint& regions) {
  if (!has_table(record)) return;
  regions.add_bytes(regions.registers().deq_scale.table, "vdeqTensor", Access::kRead, 0,
                    kScales * sizeof(uint64_t));
}

// Signs that differ from the type of dst, told once.
void inspect(const CastDequantRecord& record, const ElementwisePlan&, const State& state,
             const Memory& memory, std::vector<Finding>& findings) {
  if (!has_table(record)) return;
  const Operand& table = state.registers.deq_scale.table;
  for (unsigned i = 0; i < kScales; ++i) {
    if (!has_other_sign(record, word_at(memory, table, i))) continue;
    const bool is_signed = record.dst.dtype == kInt8;
    findings.push_back(
        {Code::kNoEffect,
         fmt::format("bit 46 of vdeqTensor[{}] is {}, and dst is {}: the results are {}", i,
                     int(!is_signed), is_signed ? "int8" : "uint8",
                     is_signed ? "signed" : "unsigned"),
         fmt::format("vdeqSignMode[{}] = {}", i, is_signed)});
    return;
  }
}

// The words that lane j mod 16 uses.
std::array<ScaleWord, kScales> scales_of(const CastDequantRecord& record, const State& state,
                                         Memory& memory) {
  const DeqScaleRegister& scale = state.registers.deq_scale;
  std::array<ScaleWord, kScales> words;
  for (unsigned i = 0; i < kScales; ++i) {
    words[i] = ScaleWord::of_fixpipe(record.vector ? word_at(memory, scale.table, i) : scale.word);
    words[i].is_signed = record.dst.dtype == kInt8;
  }
  return words;
}

void compute(const CastDequantRecord& record, const State& state, Memory& memory,
             const LaneRows& rows) {
  if (!to_8_bits(record)) {
    return scale_to_half(uint16_t(state.registers.deq_scale.word), state, rows);
  }
  const auto words = scales_of(record, state, memory);
  rows.for_each([&](const LaneArrays& arrays) {
    const auto* src = reinterpret_cast<const int16_t*>(arrays.src[0]);
    for (size_t i = 0; i < arrays.count; ++i) {
      arrays.dst[i] = scaled_to_8_bits(src[i], words[i % kScales]);
    }
  });
}

constexpr Functions<CastDequantRecord, ElementwisePlan> kMore{.footprint = footprint,
                                                              .inspect = inspect};

}  // namespace

extern constinit const Instruction cast_dequant =
    elementwise_instruction<CastDequantRecord, 1, compute, check, view, never_accumulates,
                            signature_of<CastDequantRecord>, kMore>("cast_dequant", "CastDequant",
                                                                    kSupport);

}  // namespace vinci::isa
