// fixpipe: a matrix of m x n out of L0C (zN) to GM or L1, converted, row-major or zN.
//
//   source element (i, m, n)   i * srcNdStride * 256 + n / 16 * srcStride * 16 + m * 16 + n % 16
//   row-major                  element i * dstNdStride + m * dstStride + n
//   zN                         byte n / 16 * dstStride * 32 + (m * 16 + n % 16) * width
//   zN of 8 bits               pairs of blocks side by side: 32 columns in a row of 32 bytes
//   zN of float, split         blocks of 8 columns
//
// Sources and decisions: docs/spec/fixpipe.md.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/core.h"
#include "core/instruction.h"
#include "isa/family/fractal.h"
#include "numeric/dtype.h"
#include "numeric/half_array.h"
#include "numeric/requantize.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

using fractal::ceil_div;
using Quant = FixpipeRecord::Quant;

constexpr DType kH = DType::kHalf, kF = DType::kFloat, kBf = DType::kBfloat16;
constexpr DType kS8 = DType::kInt8, kU8 = DType::kUint8, kS32 = DType::kInt32;
constexpr Signature kTypes[] = {{kF, kF},     {kH, kF},   {kBf, kF},   {kS8, kF},  {kU8, kF},
                                {kS32, kS32}, {kH, kS32}, {kS8, kS32}, {kU8, kS32}};
constexpr Support kSupport[] = {{kArch2201 | kArch3002, kTypes}};

Signature signature(const FixpipeRecord& record) { return {record.dst.dtype, record.src.dtype}; }
Pipe pipe(const FixpipeRecord&, const Soc&) { return Pipe::kFix; }

constexpr uint64_t kSrcWidth = 4;  // bytes of an element in L0C

uint64_t width_of(const FixpipeRecord& record) { return bits_of(record.dst.dtype) / 8; }
bool is_nop(const FixpipeRecord& record) {
  return record.m == 0 || record.n == 0 || (record.row_major && record.matrices == 0);
}
bool merges(const FixpipeRecord& record) { return !record.row_major && width_of(record) == 1; }
unsigned matrices(const FixpipeRecord& record) { return record.row_major ? record.matrices : 1; }

bool is_vector(Quant quant) {
  return quant == Quant::kVectorReq8 || quant == Quant::kVectorDeqF16 ||
         quant == Quant::kVectorF32ToB8;
}

// The modes that convert from a type to another: a scalar one and, for scaled results, a vector
// one.
struct Modes {
  Quant scalar, vector;
  std::string_view names;
};
Modes modes_of(const FixpipeRecord& record) {
  if (record.src.dtype == record.dst.dtype) return {Quant::kNone, Quant::kNone, "NoQuant"};
  if (record.src.dtype == kF) {
    if (record.dst.dtype == kH) return {Quant::kF32ToF16, Quant::kF32ToF16, "F322F16"};
    if (record.dst.dtype == kBf) return {Quant::kF32ToBf16, Quant::kF32ToBf16, "F322BF16"};
    return {Quant::kF32ToB8, Quant::kVectorF32ToB8, "QF322B8_PRE, VQF322B8_PRE"};
  }
  if (record.dst.dtype == kH) return {Quant::kDeqF16, Quant::kVectorDeqF16, "DEQF16, VDEQF16"};
  return {Quant::kReq8, Quant::kVectorReq8, "REQ8, VREQ8"};
}

void check_quant(const FixpipeRecord& record, Check& check) {
  const Modes modes = modes_of(record);
  if (record.quant != modes.scalar && record.quant != modes.vector) {
    check.fail(Code::kCombination,
               fmt::format("quantPre {} from {} to {}", int(record.quant),
                           name_of(record.src.dtype), name_of(record.dst.dtype)),
               std::string(modes.names));
  }
  const bool has_scales = record.scales.dtype != DType::kNone;
  if (is_vector(record.quant) != has_scales) {
    check.fail(Code::kCombination,
               has_scales ? "a tensor of scales with a quantPre that takes one scalar"
                          : "a quantPre that takes a scale for each column, without their tensor",
               "the form with cbufWorkspace for V... modes, the other form for the rest");
  } else if (has_scales) {
    check.in_space("cbufWorkspace", record.scales, Space::kL1);
    if (check.ok()) check.aligned("cbufWorkspace", record.scales);
  }
}

void check_sizes(const FixpipeRecord& record, Check& check) {
  check.range("nSize", record.n, 0, 4095);
  check.range("mSize", record.m, 0, record.row_major ? 8192 : 65535);
  if (!record.row_major) check.multiple("nSize", record.n, record.channel_split ? 8 : 16);
  check.multiple("srcStride", record.src_stride, 16);
  check.range("srcStride", record.src_stride, record.m, 65535);
  check.range("dstStride", record.dst_stride, 1, UINT32_MAX);
  if (record.row_major) check.range("srcNdStride", record.src_matrix_stride, 0, 512);
}

void check(const FixpipeRecord& record, Check& check) {
  const Space to = check.soc().space_of(record.dst.position);
  check.in_space("src", record.src, Space::kL0C);
  if (to != Space::kGm && to != Space::kL1) {
    check.fail(Code::kPosition,
               fmt::format("dst is in {} ({})", name_of(record.dst.position), name_of(to)),
               "GM, A1, B1");
  }
  if (!check.ok()) return;
  check.aligned("src", record.src);
  check.aligned("dst", record.dst, to == Space::kL1 || !record.row_major ? 32 : width_of(record));
  if (to == Space::kL1 && (record.row_major || record.dst.dtype == record.src.dtype)) {
    check.fail(Code::kCombination, "to L1 without a conversion, or row-major",
               "CFG_NZ and a narrower type");
  }
  if (record.channel_split && (record.row_major || record.dst.dtype != kF)) {
    check.fail(Code::kCombination, "isChannelSplit", "float to float, CFG_NZ");
  }
  check_quant(record, check);
  if (check.ok() && !is_nop(record)) check_sizes(record, check);
}

void add_destination(const FixpipeRecord& record, Footprint& footprint) {
  const uint64_t width = width_of(record);
  const uint64_t pitch = uint64_t(record.dst_stride) * fractal::kRowBytes;
  const auto blocks = [&](uint64_t columns, uint64_t first, uint64_t count) {
    footprint.add_blocks(record.dst, "dst", Access::kWrite, first * pitch,
                         record.m * columns * width, count, int64_t(pitch));
  };
  if (record.row_major) {
    footprint.add({&record.dst, "dst", Access::kWrite, true, record.dst.address, record.n * width,
                   record.m, int64_t(record.dst_stride * width), record.matrices,
                   int64_t(record.dst_matrix_stride * width)});
  } else if (record.channel_split) {
    blocks(8, 0, record.n / 8);
  } else if (merges(record)) {
    blocks(32, 0, record.n / 32);
    if (record.n % 32 != 0) blocks(16, record.n / 32, 1);
  } else {
    blocks(16, 0, record.n / 16);
  }
}

void footprint(const FixpipeRecord& record, Core&, Footprint& footprint) {
  if (is_nop(record)) return;
  footprint.add({&record.src, "src", Access::kRead, true, record.src.address,
                 record.m * 16 * kSrcWidth, ceil_div(record.n, 16),
                 int64_t(record.src_stride * 16 * kSrcWidth), matrices(record),
                 int64_t(record.src_matrix_stride * 256 * kSrcWidth)});
  if (is_vector(record.quant)) {
    footprint.add_bytes(record.scales, "cbufWorkspace", Access::kRead, 0,
                        record.n * sizeof(uint64_t));
  }
  add_destination(record, footprint);
}

// Bits of one result. `x` are the element's bits in L0C.
uint32_t convert(const FixpipeRecord& record, uint32_t x, uint64_t word_bits, bool saturates) {
  const bool relu = record.relu;
  const float f = float_of_bits(x);
  const float positive = relu && f < 0 ? 0.0f : f;
  const ScaleWord word = ScaleWord::of_fixpipe(word_bits);
  switch (record.quant) {
    case Quant::kNone:
      if (!relu) return x;
      return record.src.dtype == kF ? bits_of_float(f > 0 || f != f ? f : 0.0f)
                                    : uint32_t(std::max(int32_t(x), 0));
    case Quant::kF32ToF16: {
      uint16_t result;
      halves_of_floats(&positive, &result, 1, saturates);
      return result;
    }
    case Quant::kF32ToBf16: return bfloat16_of_float(positive);
    case Quant::kF32ToB8:
    case Quant::kVectorF32ToB8: return to_8_bits(scaled(f, word, relu), word);
    case Quant::kReq8:
    case Quant::kVectorReq8:
      return to_8_bits(scaled(float(shifted(int32_t(x), word)), word, relu), word);
    case Quant::kDeqF16:
    case Quant::kVectorDeqF16: {
      const float result = scaled(float(shifted(int32_t(x), word)), word, relu);
      uint16_t half_bits;
      halves_of_floats(&result, &half_bits, 1, true);
      return half_bits;
    }
  }
  return 0;
}

// Byte offset of element (matrix, row, column) in the destination.
uint64_t dst_offset(const FixpipeRecord& record, uint64_t matrix, uint64_t row, uint64_t column) {
  const uint64_t width = width_of(record);
  const uint64_t pitch = uint64_t(record.dst_stride) * fractal::kRowBytes;
  if (record.row_major) {
    return (matrix * record.dst_matrix_stride + row * record.dst_stride + column) * width;
  }
  if (record.channel_split) return column / 8 * pitch + (row * 8 + column % 8) * width;
  if (merges(record)) {
    const bool in_pair = column / 32 < record.n / 32u;
    return column / 32 * pitch + row * (in_pair ? 32 : 16) + column % 32;
  }
  return column / 16 * pitch + (row * 16 + column % 16) * width;
}

void execute(const FixpipeRecord& record, Core& core) {
  if (is_nop(record)) return;
  const uint8_t* src = core.data(record.src);
  uint8_t* dst = core.data(record.dst);
  const uint8_t* scales = is_vector(record.quant) ? core.data(record.scales) : nullptr;
  const bool saturates = core.soc().has(Feature::kFloatSaturates);
  for (uint64_t matrix = 0; matrix < matrices(record); ++matrix) {
    for (uint64_t row = 0; row < record.m; ++row) {
      for (uint64_t column = 0; column < record.n; ++column) {
        const uint64_t element = matrix * record.src_matrix_stride * 256 +
                                 column / 16 * record.src_stride * 16 + row * 16 + column % 16;
        uint32_t x;
        std::memcpy(&x, src + element * kSrcWidth, sizeof(x));
        uint64_t word = record.scale;
        if (scales != nullptr) std::memcpy(&word, scales + column * sizeof(word), sizeof(word));
        const uint32_t result = convert(record, x, word, saturates);
        std::memcpy(dst + dst_offset(record, matrix, row, column), &result, width_of(record));
      }
    }
  }
}

}  // namespace

extern constinit const Instruction fixpipe =
    make_instruction<FixpipeRecord, signature, pipe, check, footprint, execute>(
        "fixpipe", "Fixpipe", "Fixpipe", kSupport);

}  // namespace vinci::isa
