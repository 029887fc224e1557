// load_data_with_transpose: squares of fractals from L1 to L0A or L0B, each transposed.
//
//   16-bit: one 16x16 fractal.  8-bit: 32x32, two 16x32 fractals one above the other.
//   4-bit: 64x64, four 16x64 fractals.  32-bit: 16x16, two 16x8 fractals side by side.
//
//   source square i      startIndex + i * srcStride
//   destination fractal j of square i at (i * (dstGap + 1) + j * (dstFracGap + 1)) * 512 B
//
// Sources and decisions: docs/spec/load_data_with_transpose.md.
#include <cstring>

#include <fmt/format.h>

#include "core/instruction.h"
#include "core/operator_support.h"
#include "kernel/fractal.h"
#include "kernel/transpose.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

constexpr Signature kTypes[] = {DType::kInt4,  DType::kUint8, DType::kInt8,     DType::kUint16,
                                DType::kInt16, DType::kHalf,  DType::kBfloat16, DType::kUint32,
                                DType::kInt32, DType::kFloat};
constexpr Signature kBytes[] = {DType::kInt8};
constexpr Support kSupport[] = {{kArch2201 | kArch3002, kTypes},
                                {kArch2002, kBytes, true, kOperator}};

Signature signature(const LoadDataTransposeRecord& record) { return record.dst.dtype; }

unsigned fractals_per_square(DType type) {
  switch (bits_of(type)) {
    case 4: return 4;
    case 16: return 1;
    default: return 2;
  }
}

uint64_t square_bytes(const LoadDataTransposeRecord& record) {
  return fractals_per_square(record.dst.dtype) * fractal::kBytes;
}
uint64_t dst_pitch(const LoadDataTransposeRecord& record) {
  return (uint64_t(record.dst_gap) + 1) * fractal::kBytes;
}
uint64_t fractal_pitch(const LoadDataTransposeRecord& record) {
  return (uint64_t(record.dst_frac_gap) + 1) * fractal::kBytes;
}

// Fractal j of a square falls on the first fractal of a later one.
bool writes_twice(const LoadDataTransposeRecord& record) {
  for (unsigned j = 1; j < fractals_per_square(record.dst.dtype); ++j) {
    const uint64_t distance = j * fractal_pitch(record);
    if (distance % dst_pitch(record) != 0) continue;
    if (distance / dst_pitch(record) < record.repeats) return true;
  }
  return false;
}

void check(const LoadDataTransposeRecord& record, Check& check) {
  const Space to = check.soc().space_of(record.dst.position);
  check.in_space("srcLocal", record.src, Space::kL1);
  if (to != Space::kL0A && to != Space::kL0B) {
    check.fail(Code::kPosition,
               fmt::format("dstLocal is in {} ({})", name_of(record.dst.position), name_of(to)),
               "A2, B2");
  }
  if (!check.ok()) return;
  check.aligned("srcLocal", record.src);
  check.aligned("dstLocal", record.dst);
  check.range("repeatTimes", record.repeats, 0, 255);
  if (record.dst.dtype == DType::kInt4 && to == Space::kL0A) {
    check.fail(Code::kCombination, "int4 to A2", "int4 to B2");
  }
  if (check.ok() && record.repeats == 0) {
    check.warn(Code::kNoEffect, "repeatTimes is 0: nothing is loaded", "1..255");
  }
  if (check.ok() && writes_twice(record)) {
    check.warn(
        Code::kWrittenTwice,
        fmt::format("with dstGap {} and dstFracGap {}, {} squares of {} fractals lie on each "
                    "other",
                    record.dst_gap, record.dst_frac_gap, record.repeats,
                    fractals_per_square(record.dst.dtype)),
        "gaps that keep them apart, as dstGap = fractals of a square - 1, dstFracGap = 0");
  }
}

std::string src_reach(const Record& base, const Soc&) {
  const auto& record = static_cast<const LoadDataTransposeRecord&>(base);
  return fmt::format("startIndex {}, repeatTimes {}, srcStride {}", record.start_index,
                     record.repeats, record.src_stride);
}
std::string dst_reach(const Record& base, const Soc&) {
  const auto& record = static_cast<const LoadDataTransposeRecord&>(base);
  const bool has_fractals = fractals_per_square(record.dst.dtype) > 1;
  return fmt::format("repeatTimes {}, dstGap {}", record.repeats, record.dst_gap) +
         (has_fractals ? fmt::format(", dstFracGap {}", record.dst_frac_gap) : "");
}

void footprint(const LoadDataTransposeRecord& record, Footprint& footprint) {
  const uint64_t bytes = square_bytes(record);
  footprint.add_blocks(record.src, "srcLocal", Access::kRead, record.start_index * bytes, bytes,
                       record.repeats, int64_t(record.src_stride * bytes), src_reach);
  footprint.add({record.dst, "dstLocal", Access::kWrite, true, record.dst.address, fractal::kBytes,
                 fractals_per_square(record.dst.dtype), int64_t(fractal_pitch(record)),
                 record.repeats, int64_t(dst_pitch(record)), dst_reach});
}

// Turns one square; its destination fractals lie `pitch` bytes apart, the first at `dst`. In memory
// a stack of fractals is one tall matrix.
void transpose(unsigned bits, const uint8_t* src, uint8_t* dst, uint64_t pitch) {
  switch (bits) {
    case 4: {
      if (pitch == fractal::kBytes) return fractal::transpose_square_int4(src, dst);
      uint8_t out[4 * fractal::kBytes];
      fractal::transpose_square_int4(src, out);
      for (unsigned j = 0; j < 4; ++j) {
        fractal::copy_fractal(dst + j * pitch, out + j * fractal::kBytes);
      }
      return;
    }
    case 8:
      fractal::transpose_half<uint8_t>(src, dst, fractal::kRowBytes);
      fractal::transpose_half<uint8_t>(src + 16, dst + pitch, fractal::kRowBytes);
      return;
    case 16: return fractal::transpose_square<uint16_t>(src, dst);
    default:  // fractals side by side, each two squares of 8x8 one above the other
      for (unsigned j = 0; j < 2; ++j) {
        for (unsigned i = 0; i < 2; ++i) {
          fractal::transpose_square<uint32_t>(src + i * fractal::kBytes + j * fractal::kBytes / 2,
                                              dst + j * pitch + i * fractal::kBytes / 2);
        }
      }
  }
}

void run(const LoadDataTransposeRecord& record, const State&, Memory& memory) {
  const uint64_t bytes = square_bytes(record);
  const uint8_t* src = memory.data(record.src) + record.start_index * bytes;
  uint8_t* dst = memory.data(record.dst);
  for (unsigned i = 0; i < record.repeats; ++i) {
    transpose(bits_of(record.dst.dtype), src, dst, fractal_pitch(record));
    src += record.src_stride * bytes;
    dst += dst_pitch(record);
  }
}

constexpr Functions<LoadDataTransposeRecord> kFunctions{.signature = signature,
                                                        .pipe = Pipe::kMte1,
                                                        .check = check,
                                                        .footprint = footprint,
                                                        .run = run,
                                                        .moves = true};

}  // namespace

extern constinit const Instruction load_data_with_transpose = make_instruction<kFunctions>(
    "load_data_with_transpose", "LoadDataWithTranspose", "LoadDataWithTranspose", kSupport);

}  // namespace vinci::isa
