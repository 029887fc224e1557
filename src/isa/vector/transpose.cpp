// transpose: squares of 16 x 16 elements of 16 bits, rows to columns.
//
// Sources and decisions: docs/spec/transpose.md.
#include <cstring>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/family/lanes.h"
#include "kernel/transpose.h"

namespace vinci::isa {
namespace {

constexpr uint64_t kSquareBytes = 512;

constexpr Signature kTypes[] = {DType::kHalf, DType::kInt16, DType::kUint16};
constexpr Support kSupport[] = {
    {kArch1000 | kArch1001 | kArch2002 | kArch2002Vector | kArch2201 | kArch3002, kTypes}};

Signature signature(const TransposeRecord& record) {
  return types_of(record.dst.dtype, record.src.dtype);
}

uint64_t square_of(const Operand& operand, uint64_t repeat, uint16_t stride) {
  return operand.address + repeat * stride * kSquareBytes;
}
bool overlap(uint64_t a, uint64_t b) {
  return vector::overlap(a, a + kSquareBytes, b, b + kSquareBytes);
}

// A square is transposed in place or apart from itself, and is no later square's source.
void check_overlap(const TransposeRecord& record, Check& check) {
  for (uint64_t repeat = 0; repeat < record.repeats && check.ok(); ++repeat) {
    const uint64_t to = square_of(record.dst, repeat, record.dst_stride);
    const uint64_t from = square_of(record.src, repeat, record.src_stride);
    if (to != from && overlap(to, from)) {
      check.fail(Code::kOverlap, fmt::format("dst and src overlap in part in repeat {}", repeat),
                 "the same start, or no overlap");
      return;
    }
    const uint64_t reader =
        vector::later_reader({record.src.address, kSquareBytes, record.src_stride * kSquareBytes,
                              record.repeats - 1u, check.in_tik()},
                             repeat, {to, to + kSquareBytes}, [](uint64_t) { return true; });
    if (reader != repeat) {
      check.fail(Code::kOverlap,
                 fmt::format("dst of repeat {} overwrites src of repeat {}", repeat, reader),
                 vector::kNoLaterSource);
    }
  }
}

void check(const TransposeRecord& record, Check& check) {
  vector::check_operand("dst", record.dst, check);
  vector::check_operand("src", record.src, check);
  check.range("repeat_times", record.repeats, 0, 4095);
  check.range("dst_rep_stride", record.dst_stride, 0, 4095);
  check.range("src_rep_stride", record.src_stride, 0, 4095);
  if (check.ok()) check_overlap(record, check);
}

void footprint(const TransposeRecord& record, Footprint& footprint) {
  footprint.add_blocks(record.src, "src", Access::kRead, 0, kSquareBytes, record.repeats,
                       int64_t(record.src_stride * kSquareBytes));
  footprint.add_blocks(record.dst, "dst", Access::kWrite, 0, kSquareBytes, record.repeats,
                       int64_t(record.dst_stride * kSquareBytes));
}

void run(const TransposeRecord& record, const State&, Memory& memory) {
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst);
  for (uint64_t repeat = 0; repeat < record.repeats; ++repeat) {
    uint8_t square[kSquareBytes];
    std::memcpy(square, src + repeat * record.src_stride * kSquareBytes, kSquareBytes);
    fractal::transpose_square<uint16_t>(square, dst + repeat * record.dst_stride * kSquareBytes);
  }
}

constexpr Functions<TransposeRecord> kFunctions{.signature = signature,
                                                .pipe = Pipe::kV,
                                                .check = check,
                                                .footprint = footprint,
                                                .run = run,
                                                .moves = true};

}  // namespace

extern constinit const Instruction transpose =
    make_instruction<kFunctions>("transpose", "Transpose", "Transpose", kSupport);

}  // namespace vinci::isa
