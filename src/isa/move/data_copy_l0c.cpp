// data_copy_l0c: results of L0C to UB, converted on the way.
//
//   DEQ_NONE       x, or x rounded to half
//   DEQ, VDEQ      x * M, M a half
//   DEQ16, VDEQ16  to half: (x >> N) * M.  To int16: x >> N
//   DEQ8, VDEQ8    (x >> N) * M rounded, + offset, to 8 bits
//
// The V... modes have a scale word for each of the 16 columns, 16 words for each burst.
// Sources and decisions: docs/spec/data_copy_l0c.md.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/move/l0c_units.h"
#include "numeric/dtype.h"
#include "kernel/half_array.h"
#include "numeric/requantize.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

using Dequant = EnhancedCopy::Dequant;
using l0c::kRow;

constexpr DType kH = DType::kHalf, kF = DType::kFloat;
constexpr DType kS32 = DType::kInt32, kU32 = DType::kUint32;
constexpr DType kS16 = DType::kInt16, kS8 = DType::kInt8, kU8 = DType::kUint8;

constexpr Signature kTypes[] = {{kH, kH},   {kF, kF},     {kS32, kS32}, {kU32, kU32}, {kH, kF},
                                {kH, kS32}, {kS16, kS32}, {kS8, kS32},  {kU8, kS32}};
constexpr Support kSupport[] = {{kArch1001 | kArch2002, kTypes}, {kArch1000, kTypes, true, kTik}};

// Which conversions a mode has.
struct Mode {
  Dequant mode;
  std::string_view name;
  Signature types;
};
constexpr Mode kModes[] = {
    {Dequant::kNone, "DEQ_NONE", {kH, kH}},     {Dequant::kNone, "DEQ_NONE", {kF, kF}},
    {Dequant::kNone, "DEQ_NONE", {kS32, kS32}}, {Dequant::kNone, "DEQ_NONE", {kU32, kU32}},
    {Dequant::kNone, "DEQ_NONE", {kH, kF}},     {Dequant::kDeq, "DEQ", {kH, kH}},
    {Dequant::kDeq, "DEQ", {kH, kS32}},         {Dequant::kVdeq, "VDEQ", {kH, kS32}},
    {Dequant::kDeq16, "DEQ16", {kH, kS32}},     {Dequant::kVdeq16, "VDEQ16", {kH, kS32}},
    {Dequant::kDeq16, "DEQ16", {kS16, kS32}},   {Dequant::kVdeq16, "VDEQ16", {kS16, kS32}},
    {Dequant::kDeq8, "DEQ8", {kS8, kS32}},      {Dequant::kVdeq8, "VDEQ8", {kS8, kS32}},
    {Dequant::kDeq8, "DEQ8", {kU8, kS32}},      {Dequant::kVdeq8, "VDEQ8", {kU8, kS32}},
};

Signature signature(const DataCopyL0CRecord& record) {
  return {record.dst.dtype, record.src.dtype};
}
Pipe pipe(const DataCopyL0CRecord& record, const Soc& soc) {
  return soc.route(soc.space_of(record.src.position), soc.space_of(record.dst.position));
}

bool is_vector(Dequant mode) {
  return mode == Dequant::kVdeq || mode == Dequant::kVdeq8 || mode == Dequant::kVdeq16;
}
// Bytes of the 16 scales of a burst.
uint64_t scales_bytes(Dequant mode) {
  return kRow * (mode == Dequant::kVdeq ? sizeof(uint16_t) : sizeof(uint64_t));
}

l0c::Ends ends_of(const DataCopyL0CRecord& record) {
  return {record.src, record.dst, record.bursts.src_gap, record.bursts.dst_gap};
}
// Where the 16 results of a row go: 8-bit ones take a half of a datablock, unless packed.
struct ResultRow {
  uint64_t bytes, pitch, start;
};
ResultRow result_row(const DataCopyL0CRecord& record) {
  const uint64_t bytes = bytes_of(record.dst.dtype, kRow);
  const uint8_t half = record.enhanced.sid_store_mode;
  if (bytes != 16 || half == 2) return {bytes, bytes, 0};
  return {bytes, l0c::kBlockBytes, half * bytes};
}
l0c::Units units_of(const DataCopyL0CRecord& record) {
  return l0c::units_of(record, ends_of(record), result_row(record).pitch);
}

void check_mode(const DataCopyL0CRecord& record, Check& check) {
  const EnhancedCopy& enhanced = record.enhanced;
  std::string legal;
  for (const Mode& mode : kModes) {
    if (mode.types != signature(record)) continue;
    if (mode.mode == enhanced.dequant) return;
    legal += (legal.empty() ? "" : ", ") + std::string(mode.name);
  }
  check.fail(Code::kCombination,
             fmt::format("deqScale {} from {} to {}", int(enhanced.dequant),
                         name_of(record.src.dtype), name_of(record.dst.dtype)),
             legal);
}

void check(const DataCopyL0CRecord& record, Check& check) {
  l0c::check_units(record, check, ends_of(record));
  check_mode(record, check);
  if (is_vector(record.enhanced.dequant)) check.aligned("deqTensorAddr", record.scales);
  if (check.ok() && record.enhanced.relu && record.src.dtype == kH &&
      record.enhanced.dequant == Dequant::kDeq) {
    check.warn(Code::kNoEffect, "isRelu has no effect on DEQ from half to half", "isRelu = false");
  }
}

void footprint(const DataCopyL0CRecord& record, Footprint& footprint) {
  const ResultRow row = result_row(record);
  l0c::add_units(record, ends_of(record), units_of(record), row.start, row.bytes, footprint);
  if (is_vector(record.enhanced.dequant) && record.bursts.length != 0) {
    footprint.add_bytes(record.scales, "deqTensorAddr", Access::kRead, 0,
                        record.bursts.blocks * scales_bytes(record.enhanced.dequant));
  }
}

// The scale word of each of the 16 columns.
struct Scales {
  ScaleWord words[kRow];
};

ScaleWord read_word(const DataCopyL0CRecord& record, uint64_t bits) {
  const Dequant mode = record.enhanced.dequant;
  ScaleWord word(bits);
  if (mode == Dequant::kDeq || mode == Dequant::kVdeq) {
    word = {};
    word.scale = float_of_half(uint16_t(bits));
  }
  if (record.dst.dtype == kS16) word.shift = ScaleWord::shift_of(bits);
  if (mode == Dequant::kDeq8 && record.dst.dtype == kS8) word.is_signed = true;
  word.relu |= record.enhanced.relu;
  return word;
}

// The words of all bursts, where each column has its own: results may come to lie over them.
std::vector<uint8_t> read_words(const DataCopyL0CRecord& record, const Memory& memory) {
  if (!is_vector(record.enhanced.dequant) || record.bursts.length == 0) return {};
  const uint8_t* words = memory.data(record.scales);
  return {words, words + record.bursts.blocks * scales_bytes(record.enhanced.dequant)};
}

Scales scales_of(const DataCopyL0CRecord& record, const std::vector<uint8_t>& words,
                 uint64_t burst) {
  Scales scales;
  const Dequant mode = record.enhanced.dequant;
  const uint64_t width = scales_bytes(mode) / kRow;
  for (uint64_t i = 0; i < kRow; ++i) {
    uint64_t bits = record.enhanced.dequant_value;
    if (is_vector(mode)) {
      bits = 0;
      std::memcpy(&bits, words.data() + (burst * kRow + i) * width, width);
    }
    scales.words[i] = read_word(record, bits);
  }
  return scales;
}

// max(x, 0); NaN stays NaN, the canonical one, and -0 becomes +0.
float relu(float x) { return x > 0 ? x : x != x ? __builtin_nanf("") : 0.0f; }

// The integers of a row, scaled.
void convert_integers(const DataCopyL0CRecord& record, const Scales& scales, const int32_t* in,
                      uint8_t* out, bool saturates) {
  float scaled[kRow];
  for (uint64_t i = 0; i < kRow; ++i) {
    const ScaleWord& word = scales.words[i];
    const float product = float(shifted(in[i], word)) * word.scale;
    scaled[i] = word.relu ? relu(product) : product;
  }
  if (record.dst.dtype == kH) {
    halves_of_floats(scaled, reinterpret_cast<uint16_t*>(out), kRow, saturates);
    return;
  }
  for (uint64_t i = 0; i < kRow; ++i) {
    const ScaleWord& word = scales.words[i];
    if (record.dst.dtype != kS16) {
      out[i] = to_8_bits(scaled[i], word);
      continue;
    }
    const auto result = int16_t(std::max(shifted(in[i], word), word.relu ? 0 : INT32_MIN));
    std::memcpy(out + i * sizeof(result), &result, sizeof(result));
  }
}

// The halves of a row times the scale; isRelu is not for them.
void scale_halves(const Scales& scales, const uint16_t* in, uint16_t* out, bool saturates) {
  float values[kRow];
  floats_of_halves(in, values, kRow);
  for (uint64_t i = 0; i < kRow; ++i) values[i] *= scales.words[i].scale;
  halves_of_floats(values, out, kRow, saturates);
}

// A row without a scale. uint32 is never negative, so isRelu leaves it alone.
void convert_plain(const DataCopyL0CRecord& record, const uint8_t* src, uint8_t* dst,
                   bool saturates) {
  const DType from = record.src.dtype, to = record.dst.dtype;
  if (from == kU32 || (!record.enhanced.relu && from == to)) {
    std::memcpy(dst, src, bytes_of(from, kRow));
    return;
  }
  if (from == kS32) {
    int32_t values[kRow];
    std::memcpy(values, src, sizeof(values));
    for (int32_t& value : values) value = std::max(value, 0);
    std::memcpy(dst, values, sizeof(values));
    return;
  }
  float values[kRow];
  if (from == kH) {
    floats_of_halves(reinterpret_cast<const uint16_t*>(src), values, kRow);
  } else {
    std::memcpy(values, src, sizeof(values));
  }
  if (record.enhanced.relu) {
    for (float& value : values) value = relu(value);
  }
  if (to == kF) {
    std::memcpy(dst, values, sizeof(values));
  } else {
    halves_of_floats(values, reinterpret_cast<uint16_t*>(dst), kRow, saturates && from == kF);
  }
}

void run(const DataCopyL0CRecord& record, const State& state, Memory& memory) {
  const l0c::Units units = units_of(record);
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst) + result_row(record).start;
  const bool saturates = state.soc.has(Feature::kFloatSaturates);
  const bool plain = record.enhanced.dequant == Dequant::kNone;
  const std::vector<uint8_t> words = read_words(record, memory);
  uint64_t scaled_burst = ~uint64_t{0};
  Scales scales;
  l0c::for_each_unit(record, units, [&](uint64_t burst, uint64_t from, uint64_t to) {
    if (!plain && burst != scaled_burst) {
      scales = scales_of(record, words, burst);
      scaled_burst = burst;
    }
    for (uint64_t row = 0; row < units.rows; ++row) {
      const uint8_t* in = src + from + row * units.l0c_row;
      uint8_t* out = dst + to + row * units.ub_row;
      if (plain) {
        convert_plain(record, in, out, saturates);
      } else if (record.src.dtype == kH) {
        scale_halves(scales, reinterpret_cast<const uint16_t*>(in),
                     reinterpret_cast<uint16_t*>(out), saturates);
      } else {
        convert_integers(record, scales, reinterpret_cast<const int32_t*>(in), out, saturates);
      }
    }
  });
}

constexpr Functions<DataCopyL0CRecord> kFunctions{
    .signature = signature, .pipe = pipe, .check = check, .footprint = footprint, .run = run};

}  // namespace

extern constinit const Instruction data_copy_l0c =
    make_instruction<kFunctions>("data_copy_l0c", "DataCopy (CO1 to CO2)", "DataCopy", kSupport);

}  // namespace vinci::isa
