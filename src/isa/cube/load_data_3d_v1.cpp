// load_data_3d_v1: image to column. Each repeat writes one fractal: 16 consecutive positions of
// the filter window (rows) by the C0 channels of one filter point (columns).
//
//   repeatMode 0: the next repeat takes the next filter point, for the same 16 positions
//   repeatMode 1: the next repeat takes the next 16 positions, for the same filter point
//
// Sources and decisions: docs/spec/load_data_3d_v1.md.
#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/cube/image_to_column.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

using namespace vinci::feature_map;
using fractal::kRowBytes;

constexpr Signature kTypes[] = {DType::kUint8, DType::kInt8, DType::kHalf};
constexpr Support kSupport[] = {{kArch1001 | kArch2002, kTypes}, {kArch1000, kTypes, true, kTik}};

Signature signature(const LoadData3DV1Record& record) { return record.dst.dtype; }

uint64_t dst_pitch(const LoadData3DV1Record& record) {
  return (record.repeat_mode == 1 ? record.jump_stride : 1) * fractal::kBytes;
}

// SetLoadDataBoundary counts datablocks for this load.
uint64_t boundary_of(const Registers& registers) {
  return uint64_t(registers.load_boundary) * kRowBytes;
}

// Calls strip(first fractal, fractals, Column) for what goes down one column block: all positions
// in repeatMode 1, 16 of them in repeatMode 0.
template <class F>
void for_each_strip(const LoadData3DV1Record& record, const FeatureMap& map, F strip) {
  const unsigned strips = record.repeat_mode == 1 ? 1 : record.repeats;
  const unsigned fractals = record.repeat_mode == 1 ? record.repeats : 1;
  const uint64_t plane = uint64_t(map.h) * map.w * kRowBytes;  // bytes of a block of channels
  unsigned x = record.fetch_filter_w, y = record.fetch_filter_h, c1 = record.c1_index;
  for (unsigned first = 0; first < strips; ++first) {
    Column column;
    column.add(int32_t(y * record.dilation_h), int32_t(x * record.dilation_w), c1 * plane,
               kRowBytes);
    strip(first, fractals, column);
    // The next filter point, of the next block of channels after the last.
    if (++x < record.filter_w) continue;
    x = 0;
    if (++y < record.filter_h) continue;
    y = 0;
    ++c1;
  }
}

void check(const LoadData3DV1Record& record, Check& check) {
  check.in_space("srcLocal", record.src, Space::kL1);
  const Space to = check.soc().space_of(record.dst.position);
  const bool to_ub = to == Space::kUb && check.in_tik();
  if (to != Space::kL0A && to != Space::kL0B && !to_ub) {
    check.fail(Code::kPosition,
               fmt::format("dstLocal is in {} ({})", name_of(record.dst.position), name_of(to)),
               check.in_tik() ? "L0A, L0B, UB" : "A2, B2");
  }
  if (!check.ok()) return;
  check.aligned("srcLocal", record.src);
  check.aligned("dstLocal", record.dst);
  if (to == Space::kL0B && bits_of(record.dst.dtype) == 8) {
    refuse_bytes_to_l0b(record.dst.dtype, check);
  }
  if (record.c_size == 1) {
    check.unimplemented("cSize 1: no source gives the order of the elements in a fractal", "0");
  }
  check.range("cSize", record.c_size, 0, 0);
  check.range("repeatMode", record.repeat_mode, 0, 1);
  check.range("repeatTime", record.repeats, 0, 255);
  if (record.repeat_mode == 1) {
    check.range("jumpStride", record.jump_stride, 1, 127);
  } else {
    check.range("jumpStride", record.jump_stride, 0, 127);
  }
  check_boundary(check, record.src, boundary_of(check.registers()), 16 * kRowBytes);
  const FeatureMap map = described_by(record, check.registers().fmatrix);
  check_geometry(record, map, check, 255);
  check.range("c1Index", record.c1_index, 0, 4095);
  check_first_window(record, map, check);
  if (!check.ok()) return;
  if (record.repeats == 0) {
    check.warn(Code::kNoEffect, "repeatTime is 0: nothing is loaded", "1..255");
  } else if (record.repeat_mode == 0 && record.jump_stride == 0) {
    check.warn(Code::kNoEffect,
               "jumpStride is 0; with repeatMode 0 fractals follow each other, whatever it is",
               "1..127");
  }
}

std::string src_reach(const Record& base, const Soc&) {
  const auto& record = static_cast<const LoadData3DV1Record&>(base);
  return fmt::format("c1Index {}, leftTopH {}, leftTopW {}, repeatMode {}, repeatTime {}",
                     record.c1_index, record.left_top_h, record.left_top_w, record.repeat_mode,
                     record.repeats);
}
std::string dst_reach(const Record& base, const Soc&) {
  const auto& record = static_cast<const LoadData3DV1Record&>(base);
  return fmt::format("repeatMode {}, repeatTime {}", record.repeat_mode, record.repeats) +
         (record.repeat_mode == 1 ? fmt::format(", jumpStride {}", record.jump_stride) : "");
}

void footprint(const LoadData3DV1Record& record, Footprint& footprint) {
  if (record.repeats == 0) return;
  const FeatureMap map = described_by(record, footprint.registers().fmatrix);
  const Windows windows(record, map);
  const Window first = windows.from(record.left_top_h, record.left_top_w);
  add_pixels(footprint, record.src, boundary_of(footprint.registers()), src_reach, windows,
             [&](auto add) {
               for_each_strip(record, map, [&](unsigned, unsigned fractals, const Column& column) {
                 add(first, int32_t(fractals * fractal::kRows), column);
               });
             });
  footprint.add_blocks(record.dst, "dstLocal", Access::kWrite, 0, fractal::kBytes, record.repeats,
                       int64_t(dst_pitch(record)), dst_reach);
}

// Rows lie one after the other in A2 and UB; in B2 (16-bit elements) the fractal is transposed.
void run(const LoadData3DV1Record& record, const State& state, Memory& memory) {
  if (record.repeats == 0) return;
  const FeatureMap map = described_by(record, state.registers.fmatrix);
  const Windows windows(record, map);
  const Window corner = windows.from(record.left_top_h, record.left_top_w);
  const Reader reader(windows, record.src, memory, padding_of(record, state.registers),
                      boundary_of(state.registers));
  const bool transposed = state.soc.space_of(record.dst.position) == Space::kL0B;
  uint8_t* dst = memory.data(record.dst);
  const uint64_t pitch = dst_pitch(record);
  for_each_strip(record, map, [&](unsigned first, unsigned fractals, const Column& column) {
    const auto rows = int32_t(fractals * fractal::kRows);
    if (transposed) {
      reader.read_turned<uint16_t>(corner, rows, column, dst + first * pitch, pitch);
    } else {
      reader.read(corner, rows, column, dst + first * pitch, pitch);
    }
  });
}

void advance(const LoadData3DV1Record& record, const Soc&, Registers& registers) {
  registers.fmatrix = described_by(record, registers.fmatrix);
  registers.padding = padding_of(record, registers);
}

constexpr Functions<LoadData3DV1Record> kFunctions{.signature = signature,
                                                   .pipe = Pipe::kMte1,
                                                   .check = check,
                                                   .footprint = footprint,
                                                   .run = run,
                                                   .advance = advance};

}  // namespace

extern constinit const Instruction load_data_3d_v1 =
    make_instruction<kFunctions>("load_data_3d_v1", "LoadData (3D v1)", "LoadData", kSupport);

}  // namespace vinci::isa
