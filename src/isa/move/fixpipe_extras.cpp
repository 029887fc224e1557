// Clipping and element-wise sums of the fixed pipe:
//
//   result = min(clip, result), then result + or - element (m, n) of the tensor
//   element (m, n)   byte n / 16 * c0ChStride * 32 + m * 32 + n % 16 * 2
//
// Sources and decisions: docs/spec/fixpipe.md.
#include "isa/move/fixpipe_extras.h"

#include <cstring>

#include <fmt/format.h>

#include "core/instruction.h"
#include "kernel/fractal.h"
#include "kernel/half_array.h"
#include "numeric/dtype.h"
#include "vinci/float_bits.h"

namespace vinci::isa::fixpipe_extras {
namespace {

using Quant = FixpipeRecord::Quant;
using fractal::kRowBytes;

constexpr uint64_t kColumns = 16;
constexpr uint64_t kHalfBytes = 2;

uint64_t pitch_of(const Registers& registers) {
  return registers.fixpipe.element_wise_stride * kRowBytes;
}

}  // namespace

void check(const FixpipeRecord& record, Check& check) {
  const FixpipeRegisters& registers = check.registers().fixpipe;
  const bool there = check.soc().has(Feature::kFixpipeExtras);
  check.range("clipReluPre", record.clip_relu, 0, there ? 1 : 0);
  check.range("eltWiseOp", record.element_wise, 0, there ? 2 : 0);
  if (!check.ok() || !asked(record)) return;
  if (record.quant == Quant::kNone || record.quant == Quant::kF32ToBf16) {
    check.fail(Code::kCombination, "clipReluPre or eltWiseOp without a conversion that has them",
               "F322F16, DEQF16, VDEQF16, REQ8, VREQ8, QF322B8_PRE, VQF322B8_PRE");
  } else if (record.dst.dtype != DType::kHalf) {
    check.unimplemented("clipReluPre and eltWiseOp of 8-bit results", "half results");
  } else if (record.clip_relu != 0 && !registers.has_clip) {
    check.fail(Code::kCombination, "clipReluPre without SetFixPipeClipRelu",
               "SetFixPipeClipRelu before it, in the same block");
  } else if (record.element_wise != 0 && registers.element_wise.dtype == DType::kNone) {
    check.fail(Code::kCombination, "eltWiseOp without SetFixPipeAddr",
               "SetFixPipeAddr before it, in the same block");
  } else if (record.element_wise != 0 && record.row_major && registers.matrices > 1) {
    check.unimplemented("eltWiseOp with several matrices", "ndNum = 1");
  }
}

void add_footprint(const FixpipeRecord& record, Footprint& footprint) {
  if (record.element_wise == 0) return;
  const Registers& registers = footprint.registers();
  const Operand& tensor = registers.fixpipe.element_wise;
  const uint64_t whole = record.n / kColumns, rest = record.n % kColumns;
  const auto pitch = int64_t(pitch_of(registers));
  if (whole > 0) {
    footprint.add_blocks(tensor, "eleWiseData", Access::kRead, 0, record.m * kRowBytes, whole,
                         pitch);
  }
  if (rest > 0) {
    footprint.add_blocks(tensor, "eleWiseData", Access::kRead, whole * uint64_t(pitch),
                         rest * kHalfBytes, record.m, int64_t(kRowBytes));
  }
}

void apply(const FixpipeRecord& record, const State& state, Memory& memory, uint64_t row,
           uint64_t column, uint64_t count, uint16_t* halves) {
  const FixpipeRegisters& registers = state.registers.fixpipe;
  float values[kColumns], elements[kColumns];
  floats_of_halves(halves, values, count);
  if (record.clip_relu != 0) {
    const float most = float_of_half(registers.clip);
    for (uint64_t i = 0; i < count; ++i) values[i] = values[i] > most ? most : values[i];
  }
  if (record.element_wise != 0) {
    uint16_t tensor[kColumns];
    const uint64_t at = column / kColumns * pitch_of(state.registers) + row * kRowBytes;
    std::memcpy(tensor, memory.data(registers.element_wise) + at + column % kColumns * kHalfBytes,
                count * kHalfBytes);
    floats_of_halves(tensor, elements, count);
    // Exact but for one rounding, which the one to half hides.
    for (uint64_t i = 0; i < count; ++i) {
      values[i] += record.element_wise == 2 ? -elements[i] : elements[i];
    }
  }
  halves_of_floats(values, halves, count, state.soc.has(Feature::kFloatSaturates));
}

}  // namespace vinci::isa::fixpipe_extras
