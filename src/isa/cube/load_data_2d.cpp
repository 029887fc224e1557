// load_data_2d: fractals from an arithmetic sequence of source fractals to one of destination
// fractals, each transposed on request.
//
//   for i in 0 .. repeatTimes-1:
//     source fractal      startIndex + i * srcStride        (or -, when addrMode is 1)
//     destination fractal i * (dstGap + 1)                  (i, on chips without dstGap)
//
// Sources and decisions: docs/spec/load_data_2d.md.
#include <fmt/format.h>

#include "core/instruction.h"
#include "kernel/fractal.h"
#include "kernel/transpose.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

constexpr Signature kTypes[] = {DType::kUint8, DType::kInt8, DType::kUint16, DType::kInt16,
                                DType::kHalf};
constexpr Signature kWith32Bit[] = {DType::kUint8,  DType::kInt8,  DType::kUint16,
                                    DType::kInt16,  DType::kHalf,  DType::kBfloat16,
                                    DType::kUint32, DType::kInt32, DType::kFloat};
constexpr Signature kTikTypes[] = {DType::kUint8, DType::kInt8,   DType::kUint16, DType::kInt16,
                                   DType::kHalf,  DType::kUint32, DType::kInt32,  DType::kFloat};
constexpr Signature kInt4[] = {DType::kInt4};
constexpr Support kSupport[] = {
    {kArch1001 | kArch2002, kTypes},
    {kArch2201 | kArch3002, kWith32Bit},
    {kArch2201, kInt4},  // from L1 only
    {kArch1000 | kArch1001 | kArch2002, kTikTypes, true, kTik},
};

Signature signature(const LoadData2DRecord& record) { return record.dst.dtype; }

Pipe pipe(const LoadData2DRecord& record, const Soc& soc) {
  return soc.route(soc.space_of(record.src.position), soc.space_of(record.dst.position));
}

// Only a copy to L1 can walk downwards, and not on every chip.
bool has_addr_mode(const LoadData2DRecord& record, const Soc& soc) {
  return soc.space_of(record.dst.position) == Space::kL1 && soc.has(Feature::kLoad2DAddrMode);
}

int64_t src_pitch(const LoadData2DRecord& record, const Soc& soc) {
  const bool down = record.addr_mode == 1 && has_addr_mode(record, soc);
  return (down ? -1 : 1) * int64_t(record.src_stride) * int64_t(fractal::kBytes);
}

uint64_t dst_pitch(const LoadData2DRecord& record, const Soc& soc) {
  const uint64_t gap = soc.has(Feature::kLoad2DDstGap) ? record.dst_gap : 0;
  return (gap + 1) * fractal::kBytes;
}

bool is_legal_route(Space from, Space to) {
  if (from == Space::kGm) return to == Space::kL1 || to == Space::kL0A || to == Space::kL0B;
  return from == Space::kL1 && (to == Space::kL0A || to == Space::kL0B);
}

void tell_what_is_ignored(const LoadData2DRecord& record, Check& check) {
  const Soc& soc = check.soc();
  if (record.repeats == 0) {
    check.warn(Code::kNoEffect, "repeatTimes is 0: nothing is loaded", "1..255");
  }
  if (record.addr_mode == 1 && !has_addr_mode(record, soc)) {
    check.warn(Code::kNoEffect,
               fmt::format("addrMode is 1; from {} to {} {} counts upwards, whatever it is",
                           name_of(soc.space_of(record.src.position)),
                           name_of(soc.space_of(record.dst.position)), soc.name),
               "addrMode = 0");
  }
}

void check(const LoadData2DRecord& record, Check& check) {
  const Soc& soc = check.soc();
  const Space from = soc.space_of(record.src.position);
  const Space to = soc.space_of(record.dst.position);
  if (!is_legal_route(from, to)) {
    check.fail(Code::kPosition,
               fmt::format("no route from {} to {}", name_of(record.src.position),
                           name_of(record.dst.position)),
               "GM -> A1, B1, A2, B2; A1, B1 -> A2, B2");
    return;
  }
  check.aligned("srcLocal", record.src);
  check.aligned("dstLocal", record.dst);
  check.range("repeatTimes", record.repeats, 0, 255);
  if (record.addr_mode != 1) {
    check.range("addrMode", record.addr_mode, 0, has_addr_mode(record, soc) ? 1 : 0);
  }
  if (record.transpose) {
    if (from == Space::kGm) {
      check.fail(Code::kCombination, "ifTranspose works from A1 and B1 only",
                 "ifTranspose = false when the source is in GM");
    }
    if (bits_of(record.dst.dtype) != 16) {
      check.fail(Code::kCombination,
                 fmt::format("ifTranspose with {}-bit elements", bits_of(record.dst.dtype)),
                 "16-bit elements");
    }
  }
  if (record.dst.dtype == DType::kInt4 && from == Space::kGm) {
    check.fail(Code::kCombination, "int4 from GM", "int4 from A1 or B1");
  }
  const int64_t pitch = src_pitch(record, soc);
  const int64_t start = int64_t(record.start_index) * int64_t(fractal::kBytes);
  if (record.repeats != 0 && start + (record.repeats - 1) * pitch < 0) {
    check.fail(
        Code::kCombination,
        fmt::format("startIndex {} with srcStride {} downwards leaves the tensor after {} of "
                    "{} repeats",
                    record.start_index, record.src_stride,
                    record.start_index / record.src_stride + 1, record.repeats),
        "startIndex >= (repeatTimes - 1) * srcStride");
  }
  if (check.ok()) tell_what_is_ignored(record, check);
}

std::string src_reach(const Record& base, const Soc&) {
  const auto& record = static_cast<const LoadData2DRecord&>(base);
  return fmt::format("startIndex {}, repeatTimes {}, srcStride {}", record.start_index,
                     record.repeats, record.src_stride);
}
std::string dst_reach(const Record& base, const Soc& soc) {
  const auto& record = static_cast<const LoadData2DRecord&>(base);
  const bool has_gap = soc.has(Feature::kLoad2DDstGap);
  return fmt::format("repeatTimes {}", record.repeats) +
         (has_gap ? fmt::format(", dstGap {}", record.dst_gap) : "");
}

void footprint(const LoadData2DRecord& record, Footprint& footprint) {
  footprint.add_blocks(record.src, "srcLocal", Access::kRead, record.start_index * fractal::kBytes,
                       fractal::kBytes, record.repeats, src_pitch(record, footprint.soc()),
                       src_reach);
  footprint.add_blocks(record.dst, "dstLocal", Access::kWrite, 0, fractal::kBytes, record.repeats,
                       int64_t(dst_pitch(record, footprint.soc())), dst_reach);
}

void run(const LoadData2DRecord& record, const State& state, Memory& memory) {
  const uint8_t* src = memory.data(record.src) + record.start_index * fractal::kBytes;
  uint8_t* dst = memory.data(record.dst);
  const int64_t step = src_pitch(record, state.soc);
  const uint64_t dst_step = dst_pitch(record, state.soc);
  for (unsigned i = 0; i < record.repeats; ++i, src += step, dst += dst_step) {
    if (record.transpose) {
      fractal::transpose_square<uint16_t>(src, dst);
    } else {
      fractal::copy_fractal(dst, src);
    }
  }
}

constexpr Functions<LoadData2DRecord> kFunctions{.signature = signature,
                                                 .pipe = pipe,
                                                 .check = check,
                                                 .footprint = footprint,
                                                 .run = run,
                                                 .moves = true};

}  // namespace

extern constinit const Instruction load_data_2d =
    make_instruction<kFunctions>("load_data_2d", "LoadData (2D)", "LoadData", kSupport);

}  // namespace vinci::isa
