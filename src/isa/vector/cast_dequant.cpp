// cast_dequant: int16 times a scale, plus an offset, to int8 or uint8; int32 times a scale to half.
//
// The 16 results of 8 bits that come from a datablock of src fill one half of a datablock of dst;
// the other half stays. Sources and decisions: docs/spec/cast_dequant.md.
#include <array>
#include <cstring>

#include "isa/family/elementwise.h"
#include "numeric/dequantize.h"
#include "numeric/lane_loop.h"

namespace vinci::isa {
namespace {

using enum DType;
using namespace vinci::vector;

constexpr Signature k2002[] = {{kInt8, kInt16}, {kUint8, kInt16}};
constexpr Signature k2201[] = {{kInt8, kInt16}, {kUint8, kInt16}, {kHalf, kInt32}};
constexpr Support kSupport[] = {{kArch2002, k2002}, {kArch2201, k2201}};

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

void check_sign(const CastDequantRecord& record, uint64_t word, Check& check) {
  const bool is_signed = record.dst.dtype == kInt8;
  if ((word >> 46 & 1) == is_signed) return;
  check.warn(Code::kNoEffect,
             is_signed ? "signMode is false, and dst is int8: the results are signed"
                       : "signMode is true, and dst is uint8: the results are unsigned",
             is_signed ? "signMode = true" : "signMode = false");
}

void check(const CastDequantRecord& record, Check& check) {
  const DeqScaleRegister& scale = check.registers().deq_scale;
  const bool from_table = scale.table.dtype != kNone;
  if (!to_8_bits(record)) {
    if (from_table) {
      check.fail(Code::kCombination, "int32 to half after SetDeqScale with a tensor of scales",
                 "SetDeqScale with a half");
    }
  } else if (record.vector != from_table) {
    check.fail(Code::kCombination,
               record.vector ? "isVecDeq = true, and SetDeqScale has set no tensor of scales"
                             : "isVecDeq = false after SetDeqScale with a tensor of scales",
               record.vector ? "SetDeqScale(vdeqTensor, vdeqInfo)"
                             : "SetDeqScale(scale, offset, signMode)");
  } else if (!from_table) {
    check_sign(record, scale.word, check);
  }
}

void footprint(const CastDequantRecord& record, Core& core, Footprint& regions) {
  add_view(view(record), record.lanes, core, regions);
  const DeqScaleRegister& scale = core.registers().deq_scale;
  if (to_8_bits(record) && record.vector) {
    regions.add_bytes(scale.table, "vdeqTensor", Access::kRead, 0, kScales * sizeof(uint64_t));
  }
}

// The words that lane j mod 16 uses.
std::array<ScaleWord, kScales> scales_of(const CastDequantRecord& record, const Core& core) {
  const DeqScaleRegister& scale = core.registers().deq_scale;
  std::array<ScaleWord, kScales> words;
  for (unsigned i = 0; i < kScales; ++i) {
    uint64_t word = scale.word;
    if (record.vector) std::memcpy(&word, core.data(scale.table) + i * sizeof(word), sizeof(word));
    words[i] = ScaleWord::of_fixpipe(word);
    words[i].is_signed = record.dst.dtype == kInt8;
  }
  return words;
}

void compute(const CastDequantRecord& record, const Core& core, const LaneArrays& arrays) {
  if (!to_8_bits(record)) {
    halves_of_scaled(reinterpret_cast<const int32_t*>(arrays.src[0]),
                     uint16_t(core.registers().deq_scale.word),
                     reinterpret_cast<uint16_t*>(arrays.dst), arrays.count,
                     core.registers().overflow.floats_saturate);
    return;
  }
  const auto words = scales_of(record, core);
  const auto* src = reinterpret_cast<const int16_t*>(arrays.src[0]);
  for (size_t i = 0; i < arrays.count; ++i) {
    arrays.dst[i] = scaled_to_8_bits(src[i], words[i % kScales]);
  }
}

}  // namespace

extern constinit const Instruction cast_dequant =
    elementwise_instruction<CastDequantRecord, compute, check, view, never_accumulates,
                            signature_of<CastDequantRecord>, footprint>("cast_dequant",
                                                                        "CastDequant", kSupport);

}  // namespace vinci::isa
