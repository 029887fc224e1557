// load_data_3d_v1: image to column. Each repeat writes one fractal: 16 consecutive positions of
// the filter window (rows) by the C0 channels of one filter point (columns).
//
//   repeatMode 0: the next repeat takes the next filter point, for the same 16 positions
//   repeatMode 1: the next repeat takes the next 16 positions, for the same filter point
//
// Sources and decisions: docs/spec/load_data_3d_v1.md.
#include <fmt/format.h>

#include "core/core.h"
#include "core/instruction.h"
#include "isa/family/image_to_column.h"
#include "isa/family/transpose.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

using namespace vinci::feature_map;
using fractal::kRowBytes;

constexpr Signature kTypes[] = {DType::kUint8, DType::kInt8, DType::kHalf};
constexpr Support kSupport[] = {{kArch1001 | kArch2002, kTypes}};

Signature signature(const LoadData3DV1Record& record) { return record.dst.dtype; }
Pipe pipe(const LoadData3DV1Record&, const Soc&) { return Pipe::kMte1; }

uint64_t dst_pitch(const LoadData3DV1Record& record) {
  return (record.repeat_mode == 1 ? record.jump_stride : 1) * fractal::kBytes;
}

// SetLoadDataBoundary counts datablocks for this load.
uint64_t boundary_of(const Registers& registers) {
  return uint64_t(registers.load_boundary) * kRowBytes;
}

// The filter's point, carrying from column to row to the next block of channels.
struct FilterPoint {
  unsigned x, y, c1;

  void advance(const LoadData3DV1Record& record) {
    if (++x < record.filter_w) return;
    x = 0;
    if (++y < record.filter_h) return;
    y = 0;
    ++c1;
  }
};

// Calls fractal(repeat, window, point) for each repeat, with the window of its first row. It
// returns the window behind its rows.
template <class F>
void for_each_fractal(const LoadData3DV1Record& record, const FeatureMap& map,
                      const Windows& windows, F fractal) {
  Window first = windows.from(record.left_top_h, record.left_top_w);
  FilterPoint point{record.fetch_filter_w, record.fetch_filter_h, record.c1_index};
  for (unsigned repeat = 0; repeat < record.repeats; ++repeat) {
    const Window behind =
        fractal(repeat, first,
                Point{int64_t(point.y) * record.dilation_h, int64_t(point.x) * record.dilation_w,
                      uint64_t(point.c1) * map.h * map.w * kRowBytes, kRowBytes});
    if (record.repeat_mode == 1) {
      first = behind;
    } else {
      point.advance(record);
    }
  }
}

void check_start(const LoadData3DV1Record& record, Check& check, const FeatureMap& map) {
  check.range("c1Index", record.c1_index, 0, 4095);
  check.range("fetchFilterW", record.fetch_filter_w, 0, 254);
  check.range("fetchFilterH", record.fetch_filter_h, 0, 254);
  check.range("leftTopW", record.left_top_w, -255, 32767);
  check.range("leftTopH", record.left_top_h, -255, 32767);
  if (!check.ok()) return;
  if (record.fetch_filter_w >= record.filter_w || record.fetch_filter_h >= record.filter_h) {
    check.fail(
        Code::kCombination,
        fmt::format("the load starts at filter point ({}, {}) of a filter {} high and {} wide",
                    record.fetch_filter_h, record.fetch_filter_w, record.filter_h, record.filter_w),
        "fetchFilterH < filterH and fetchFilterW < filterW");
  }
  const int64_t reach_x = reach(record.filter_w, record.dilation_w);
  if (reach_x > map.w + map.pad[0] + map.pad[1]) {
    check.fail(Code::kCombination,
               fmt::format("the dilated filter is {} wide and the padded map {}", reach_x,
                           map.w + map.pad[0] + map.pad[1]),
               "(filterW - 1) * dilationFilterW + 1 <= l1W + the pads on the left and right");
  }
}

void check(const LoadData3DV1Record& record, Check& check) {
  check.in_space("srcLocal", record.src, Space::kL1);
  const Space to = check.soc().space_of(record.dst.position);
  if (to != Space::kL0A && to != Space::kL0B) {
    check.fail(Code::kPosition,
               fmt::format("dstLocal is in {} ({})", name_of(record.dst.position), name_of(to)),
               "A2, B2");
  }
  if (!check.ok()) return;
  check.aligned("srcLocal", record.src);
  check.aligned("dstLocal", record.dst);
  if (to == Space::kL0B && bits_of(record.dst.dtype) == 8) {
    check.unimplemented("8-bit elements into B2 have no documented layout");
  }
  if (record.c_size == 1) {
    check.unimplemented("cSize = 1: no source gives the order of the elements in a fractal");
  }
  check.range("cSize", record.c_size, 0, 1);
  check.range("repeatMode", record.repeat_mode, 0, 1);
  if (record.repeat_mode == 1) {
    check.range("jumpStride", record.jump_stride, 1, 127);
  } else {
    check.range("jumpStride", record.jump_stride, 0, 127);
  }
  check_boundary(check, record.src, boundary_of(check.registers()), 16 * kRowBytes);
  const FeatureMap map = described_by(record, check.registers().fmatrix);
  check_geometry(record, map, check, 255);
  check_start(record, check, map);
}

void footprint(const LoadData3DV1Record& record, Core& core, Footprint& footprint) {
  if (record.repeats == 0) return;
  const FeatureMap map = described_by(record, core.registers().fmatrix);
  const Windows windows(record, map);
  Hull hull;
  for_each_fractal(record, map, windows, [&](unsigned, Window first, const Point& point) {
    return hull.add(windows, first, fractal::kRows, point);
  });
  hull.add_to(footprint, record.src, boundary_of(core.registers()));
  footprint.add_blocks(record.dst, "dstLocal", Access::kWrite, 0, fractal::kBytes, record.repeats,
                       int64_t(dst_pitch(record)));
}

// Rows lie one after the other in A2; in B2 (16-bit elements) the fractal is transposed.
void execute(const LoadData3DV1Record& record, Core& core) {
  Registers& registers = core.registers();
  registers.fmatrix = described_by(record, registers.fmatrix);
  if (record.set_padding) {
    registers.padding = padding_word(record.pad_value, bits_of(record.dst.dtype));
  }
  const Windows windows(record, registers.fmatrix);
  const Reader reader(record.src, core, boundary_of(registers));
  const bool transposed = core.soc().space_of(record.dst.position) == Space::kL0B;
  uint8_t* dst = core.data(record.dst);
  uint8_t rows[fractal::kBytes];
  for_each_fractal(
      record, registers.fmatrix, windows, [&](unsigned repeat, Window first, const Point& point) {
        uint8_t* out = dst + repeat * dst_pitch(record);
        const Window behind =
            reader.read(windows, first, fractal::kRows, point, transposed ? rows : out);
        if (transposed) fractal::transpose_square<uint16_t>(rows, out);
        return behind;
      });
}

}  // namespace

extern constinit const Instruction load_data_3d_v1 =
    make_instruction<LoadData3DV1Record, signature, pipe, check, footprint, execute>(
        "load_data_3d_v1", "LoadData (3D v1)", "LoadData", kSupport);

}  // namespace vinci::isa
