// fixpipe: a matrix of m x n out of L0C (zN) to GM or L1, converted, row-major or zN.
//
//   source element (i, m, n)   i * srcNdStride * 256 + n / 16 * srcStride * 16 + m * 16 + n % 16
//   row-major                  element i * dstNdStride + m * dstStride + n
//   zN                         byte n / 16 * dstStride * 32 + (m * 16 + n % 16) * width
//   zN of 8 bits               pairs of blocks side by side: 32 columns in a row of 32 bytes
//   zN of float, split         blocks of 8 columns
//
// Fixpipe carries its numbers itself; DataCopy with DataCopyCO12DstParams, the older form, takes
// the scales and the matrices from registers. Sources and decisions: docs/spec/fixpipe.md.
#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/move/atomic.h"
#include "isa/move/fixpipe_extras.h"
#include "kernel/fractal.h"
#include "numeric/dtype.h"
#include "kernel/half_array.h"
#include "numeric/requantize.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

using Quant = FixpipeRecord::Quant;

constexpr DType kH = DType::kHalf, kF = DType::kFloat, kBf = DType::kBfloat16;
constexpr DType kS8 = DType::kInt8, kU8 = DType::kUint8, kS32 = DType::kInt32;
constexpr Signature kTypes[] = {{kF, kF},     {kH, kF},   {kBf, kF},   {kS8, kF},  {kU8, kF},
                                {kS32, kS32}, {kH, kS32}, {kS8, kS32}, {kU8, kS32}};
constexpr Signature kTikTypes[] = {{kF, kF}, {kH, kF}, {kS32, kS32}, {kH, kS32}};
constexpr Support kSupport[] = {{kArch2201 | kArch3002, kTypes, true, kAscendC},
                                {kArch2201 | kArch3002, kTikTypes, true, kTik}};

Signature signature(const FixpipeRecord& record) { return {record.dst.dtype, record.src.dtype}; }

constexpr uint64_t kSrcWidth = 4;  // bytes of an element in L0C
constexpr uint64_t kColumns = 16;  // of a fractal in L0C

uint64_t width_of(const FixpipeRecord& record) { return bits_of(record.dst.dtype) / 8; }
bool merges(const FixpipeRecord& record) { return !record.row_major && width_of(record) == 1; }

// How many matrices, and how far apart; zN has one.
struct Matrices {
  uint64_t count, src_stride, dst_stride;
};
Matrices matrices_of(const FixpipeRecord& record, const Registers& registers) {
  if (!record.row_major) return {1, 0, 0};
  if (!record.from_registers) {
    return {record.matrices, record.src_matrix_stride, record.dst_matrix_stride};
  }
  const FixpipeRegisters& from = registers.fixpipe;
  return {from.matrices, from.src_matrix_stride, from.dst_matrix_stride};
}
const Operand& scales_of(const FixpipeRecord& record, const Registers& registers) {
  return record.from_registers ? registers.fixpipe.scales : record.scales;
}
bool is_nop(const FixpipeRecord& record, const Registers& registers) {
  return record.m == 0 || record.n == 0 || matrices_of(record, registers).count == 0;
}

bool is_vector(Quant quant) {
  return quant == Quant::kVectorReq8 || quant == Quant::kVectorDeqF16 ||
         quant == Quant::kVectorF32ToB8;
}

bool is_scalar(Quant quant) {
  return quant == Quant::kReq8 || quant == Quant::kDeqF16 || quant == Quant::kF32ToB8;
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

// DataCopy's form: what it needs must have been set in this block.
void check_registers(const FixpipeRecord& record, Check& check) {
  const FixpipeRegisters& registers = check.registers().fixpipe;
  const auto need = [&](bool needed, bool there, std::string_view what, std::string_view setter) {
    if (needed && !there) {
      check.fail(Code::kCombination, fmt::format("{} without {}", what, setter),
                 fmt::format("{} before it, in the same block", setter));
    }
  };
  need(is_vector(record.quant), registers.scales.dtype != DType::kNone,
       "a quantPre that takes a scale for each column,", "SetFixPipeConfig");
  need(is_scalar(record.quant), registers.has_scale, "a quantPre that takes a scale,",
       "SetFixpipePreQuantFlag");
  need(record.row_major, registers.has_matrices, "nz2ndEn", "SetFixpipeNz2ndFlag");
  fixpipe_extras::check(record, check);
}

void check_scales(const FixpipeRecord& record, Check& check) {
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

void check_quant(const FixpipeRecord& record, Check& check) {
  const Modes modes = modes_of(record);
  if (record.quant != modes.scalar && record.quant != modes.vector) {
    check.fail(Code::kCombination,
               fmt::format("quantPre {} from {} to {}", int(record.quant),
                           name_of(record.src.dtype), name_of(record.dst.dtype)),
               std::string(modes.names));
  }
  if (record.from_registers) {
    check_registers(record, check);
  } else {
    check_scales(record, check);
  }
}

void check_sizes(const FixpipeRecord& record, Check& check) {
  check.range("nSize", record.n, 0, 4095);
  check.range("mSize", record.m, 0, record.row_major ? 8192 : 65535);
  if (!record.row_major) check.multiple("nSize", record.n, record.channel_split ? 8 : 16);
  check.multiple("srcStride", record.src_stride, 16);
  check.range("srcStride", record.src_stride, record.m, 65535);
  check.range("dstStride", record.dst_stride, 1, UINT32_MAX);
  if (record.row_major && !record.from_registers) {
    check.range("srcNdStride", record.src_matrix_stride, 0, 512);
  }
}

// Rows, column blocks and matrices each have a place of their own.
void check_apart(const FixpipeRecord& record, const Matrices& matrices, Check& check) {
  const auto warn = [&](std::string_view stride, uint64_t value, std::string_view what,
                        uint64_t least) {
    check.warn(Code::kWrittenTwice,
               fmt::format("with {} {} {} of dst lie on top of each other", stride, value, what),
               fmt::format("{} of {} or more", stride, least));
  };
  if (record.row_major) {
    if (record.m > 1 && record.dst_stride < record.n) {
      warn("dstStride", record.dst_stride, "rows", record.n);
    } else if (matrices.count > 1 && matrices.dst_stride < record.n) {
      warn("dstNdStride", matrices.dst_stride, "matrices", record.n);
    }
    return;
  }
  const uint64_t columns = merges(record) ? 32 : record.channel_split ? 8 : 16;
  const uint64_t least = record.m * columns * width_of(record) / fractal::kRowBytes;
  if (record.n > columns && record.dst_stride < least) {
    warn("dstStride", record.dst_stride, "blocks of columns", least);
  }
}

void check(const FixpipeRecord& record, Check& check) {
  const Space to = check.soc().space_of(record.dst.position);
  check.in_space("src", record.src, Space::kL0C);
  if (to == Space::kUb && check.in_tik()) {
    check.route(record.src, record.dst);
  } else if (to != Space::kGm && to != Space::kL1) {
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
  if (check.ok()) atomic::check(record.dst, check);
  if (!check.ok() || is_nop(record, check.registers())) return;
  check_sizes(record, check);
  if (check.ok()) check_apart(record, matrices_of(record, check.registers()), check);
}

void add_destination(const FixpipeRecord& record, const Matrices& matrices, Footprint& footprint) {
  const uint64_t width = width_of(record);
  const uint64_t pitch = uint64_t(record.dst_stride) * fractal::kRowBytes;
  const auto blocks = [&](uint64_t columns, uint64_t first, uint64_t count) {
    footprint.add_blocks(record.dst, "dst", Access::kWrite, first * pitch,
                         record.m * columns * width, count, int64_t(pitch));
  };
  if (record.row_major) {
    footprint.add({record.dst, "dst", Access::kWrite, true, record.dst.address, record.n * width,
                   record.m, int64_t(record.dst_stride * width), matrices.count,
                   int64_t(matrices.dst_stride * width)});
  } else if (record.channel_split) {
    blocks(8, 0, record.n / 8);
  } else if (merges(record)) {
    blocks(32, 0, record.n / 32);
    if (record.n % 32 != 0) blocks(16, record.n / 32, 1);
  } else {
    blocks(16, 0, record.n / 16);
  }
}

void footprint(const FixpipeRecord& record, Footprint& footprint) {
  const Registers& registers = footprint.registers();
  if (is_nop(record, registers)) return;
  const Matrices matrices = matrices_of(record, registers);
  footprint.add({record.src, "src", Access::kRead, true, record.src.address,
                 record.m * kColumns * kSrcWidth, ceil_div(record.n, kColumns),
                 int64_t(record.src_stride * kColumns * kSrcWidth), matrices.count,
                 int64_t(matrices.src_stride * 256 * kSrcWidth)});
  if (is_vector(record.quant)) {
    footprint.add_bytes(scales_of(record, registers),
                        record.from_registers ? "quantPre" : "cbufWorkspace", Access::kRead, 0,
                        record.n * sizeof(uint64_t));
  }
  fixpipe_extras::add_footprint(record, footprint);
  add_destination(record, matrices, footprint);
  atomic::add_reads(record.dst, footprint);
}

// Neighbouring columns whose results lie side by side: where the first row's go in the destination,
// and how far the next row's are.
struct Columns {
  uint64_t first, count, dst, dst_row;  // dst, dst_row: bytes
};

Columns columns_from(const FixpipeRecord& record, uint64_t column) {
  const uint64_t width = width_of(record);
  const uint64_t pitch = uint64_t(record.dst_stride) * fractal::kRowBytes;
  if (record.row_major) {
    return {column, std::min(kColumns, record.n - column), column * width,
            record.dst_stride * width};
  }
  if (record.channel_split) return {column, 8, column / 8 * pitch, 8 * width};
  if (merges(record)) {
    const bool in_pair = column / 32 < record.n / 32u;
    return {column, kColumns, column / 32 * pitch + column % 32, in_pair ? 32 : kColumns};
  }
  return {column, kColumns, column / kColumns * pitch, kColumns * width};
}

// The words of all columns, where each has its own: results may come to lie over them.
std::vector<uint64_t> read_scales(const FixpipeRecord& record, const State& state, Memory& memory) {
  std::vector<uint64_t> words(is_vector(record.quant) ? record.n : 0);
  if (!words.empty()) {
    std::memcpy(words.data(), memory.data(scales_of(record, state.registers)),
                words.size() * sizeof(uint64_t));
  }
  return words;
}

// The scale words of some columns.
struct Words {
  ScaleWord of[kColumns];
};
Words words_of(const FixpipeRecord& record, const State& state, const std::vector<uint64_t>& scales,
               const Columns& columns) {
  Words words;
  const uint64_t one = record.from_registers ? state.registers.fixpipe.scale : record.scale;
  for (uint64_t i = 0; i < columns.count; ++i) {
    words.of[i] = ScaleWord::of_fixpipe(scales.empty() ? one : scales[columns.first + i]);
  }
  return words;
}

// `count` results of one row that keep their width.
void keep(const uint32_t* in, uint64_t count, const FixpipeRecord& record, uint8_t* out) {
  if (!record.relu) {
    if (count == kColumns) {
      std::memcpy(out, in, kColumns * kSrcWidth);
    } else {
      std::memcpy(out, in, count * kSrcWidth);
    }
    return;
  }
  for (uint64_t i = 0; i < count; ++i) {
    const float f = float_of_bits(in[i]);
    const uint32_t result = record.src.dtype == kF ? bits_of_float(f > 0 || f != f ? f : 0.0f)
                                                   : uint32_t(std::max(int32_t(in[i]), 0));
    std::memcpy(out + i * sizeof(result), &result, sizeof(result));
  }
}

// Whether results are rows of what stands in L0C, apart from each other.
bool only_copies(const FixpipeRecord& record) {
  return record.quant == Quant::kNone && !record.relu && record.row_major &&
         record.dst_stride >= record.n;
}
// The rows of the first column blocks as they are, four blocks side by side: several lines of the
// host's cache in a row. Returns how many columns these are.
uint64_t copy_rows(const FixpipeRecord& record, const uint32_t* in, uint8_t* out) {
  constexpr uint64_t kBlocks = 4, kAtOnce = kBlocks * kColumns;
  const uint64_t pitch = uint64_t(record.src_stride) * kColumns;
  uint64_t column = 0;
  for (; column + kAtOnce <= record.n; column += kAtOnce) {
    for (uint64_t row = 0; row < record.m; ++row) {
      uint8_t* const to = out + (row * record.dst_stride + column) * kSrcWidth;
      const uint32_t* const from = in + column / kColumns * pitch + row * kColumns;
#pragma GCC unroll 4
      for (uint64_t block = 0; block < kBlocks; ++block) {
        std::memcpy(to + block * kColumns * kSrcWidth, from + block * pitch, kColumns * kSrcWidth);
      }
    }
  }
  return column;
}

// The number behind an element: scaled, or as it is.
float value_of(const FixpipeRecord& record, uint32_t x, const ScaleWord& word) {
  const float f = float_of_bits(x);
  switch (record.quant) {
    case Quant::kF32ToF16:
    case Quant::kF32ToBf16: return record.relu && f < 0 ? 0.0f : f;
    case Quant::kF32ToB8:
    case Quant::kVectorF32ToB8: return scaled(f, word, record.relu);
    default: return scaled(float(shifted(int32_t(x), word)), word, record.relu);
  }
}

// `count` results of one row.
void convert(const FixpipeRecord& record, const uint32_t* in, uint64_t count, const Words& words,
             bool saturates, uint8_t* out) {
  if (record.quant == Quant::kNone) return keep(in, count, record, out);
  float values[kColumns];
  for (uint64_t i = 0; i < count; ++i) values[i] = value_of(record, in[i], words.of[i]);
  switch (record.dst.dtype) {
    case kH:
      saturates |= record.src.dtype == kS32;
      halves_of_floats(values, reinterpret_cast<uint16_t*>(out), count, saturates);
      return;
    case kBf:
      for (uint64_t i = 0; i < count; ++i) {
        const uint16_t result = bfloat16_of_float(values[i]);
        std::memcpy(out + i * sizeof(result), &result, sizeof(result));
      }
      return;
    default:
      for (uint64_t i = 0; i < count; ++i) out[i] = to_8_bits(values[i], words.of[i]);
  }
}

void run(const FixpipeRecord& record, const State& state, Memory& memory) {
  if (is_nop(record, state.registers)) return;
  const Matrices matrices = matrices_of(record, state.registers);
  const auto* src = reinterpret_cast<const uint32_t*>(memory.data(record.src));
  uint8_t* dst = memory.data(record.dst);
  const bool saturates = state.soc.has(Feature::kFloatSaturates);
  const atomic::Store store(record.dst, state);
  const std::vector<uint64_t> scales = read_scales(record, state, memory);
  const bool extras = fixpipe_extras::asked(record);
  const bool copies = only_copies(record) && !extras && !store.combines();
  for (uint64_t matrix = 0; matrix < matrices.count; ++matrix) {
    const uint32_t* const first = src + matrix * matrices.src_stride * 256;
    uint8_t* const result = dst + matrix * matrices.dst_stride * width_of(record);
    Columns columns{};
    for (uint64_t column = copies ? copy_rows(record, first, result) : 0; column < record.n;
         column += columns.count) {
      columns = columns_from(record, column);
      const Words words = words_of(record, state, scales, columns);
      const uint32_t* in =
          first + column / kColumns * record.src_stride * kColumns + column % kColumns;
      uint8_t* out = result + columns.dst;
      for (uint64_t row = 0; row < record.m; ++row) {
        uint8_t* to = out + row * columns.dst_row;
        alignas(4) uint8_t results[kColumns * kSrcWidth];
        uint8_t* const made = store.combines() || extras ? results : to;
        convert(record, in + row * kColumns, columns.count, words, saturates, made);
        if (extras) {
          fixpipe_extras::apply(record, state, memory, row, columns.first, columns.count,
                                reinterpret_cast<uint16_t*>(results));
        }
        if (made == results) store(to, results, columns.count * width_of(record));
      }
    }
  }
}

bool unit_flag(const FixpipeRecord& record) { return record.unit_flag != 0; }

constexpr Functions<FixpipeRecord> kFunctions{.signature = signature,
                                              .pipe = Pipe::kFix,
                                              .check = check,
                                              .footprint = footprint,
                                              .run = run,
                                              .ordered = atomic::ordered<FixpipeRecord>,
                                              .unit_flag = unit_flag};

}  // namespace

extern constinit const Instruction fixpipe =
    make_instruction<kFunctions>("fixpipe", "Fixpipe", "Fixpipe", kSupport);

}  // namespace vinci::isa
