// load_data_3d_v1: image to column. Each repeat writes one fractal: 16 consecutive positions of
// the filter window (rows) by the C0 channels of one filter point (columns).
//
//   repeatMode 0: the next repeat takes the next filter point, for the same 16 positions
//   repeatMode 1: the next repeat takes the next 16 positions, for the same filter point
//
// Sources and decisions: docs/spec/load_data_3d_v1.md.
#include <cstring>

#include <fmt/format.h>

#include "core/core.h"
#include "core/instruction.h"
#include "isa/family/feature_map.h"
#include "isa/family/fractal.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

using namespace vinci::feature_map;

constexpr Signature kTypes[] = {DType::kUint8, DType::kInt8, DType::kHalf};
constexpr Support kSupport[] = {{kArch1001 | kArch2002, kTypes}};

Signature signature(const LoadData3DV1Record& record) { return record.dst.dtype; }
Pipe pipe(const LoadData3DV1Record&, const Soc&) { return Pipe::kMte1; }

uint64_t dst_pitch(const LoadData3DV1Record& record) {
  return (record.repeat_mode == 1 ? record.jump_stride : 1) * fractal::kBytes;
}

// Where the filter window's corner stands on the map.
struct Window {
  int64_t y, x;
};

// The window one step further along the row, or at the start of the next row.
class WindowWalk {
 public:
  WindowWalk(const LoadData3DV1Record& record, const FeatureMap& map)
      : stride_x_(record.stride_w),
        stride_y_(record.stride_h),
        first_x_(-int64_t(map.pad[0])),
        last_x_(int64_t(map.w) + map.pad[1] - (int64_t(record.filter_w) - 1) * record.dilation_w -
                1) {}

  Window next(Window window) const {
    window.x += stride_x_;
    if (window.x > last_x_) return {window.y + stride_y_, first_x_};
    return window;
  }

 private:
  int64_t stride_x_, stride_y_, first_x_, last_x_;
};

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

// Calls row(repeat, r, source) for each row of each fractal; source is the byte offset of the C0
// channels from the start of the feature map, or -1 where the window hangs over the map's edge.
template <class F>
void for_each_row(const LoadData3DV1Record& record, const FeatureMap& map, F row) {
  const WindowWalk walk(record, map);
  Window first{record.left_top_h, record.left_top_w};
  FilterPoint point{record.fetch_filter_w, record.fetch_filter_h, record.c1_index};
  for (unsigned repeat = 0; repeat < record.repeats; ++repeat) {
    Window window = first;
    for (unsigned r = 0; r < fractal::kRows; ++r) {
      const int64_t y = window.y + int64_t(point.y) * record.dilation_h;
      const int64_t x = window.x + int64_t(point.x) * record.dilation_w;
      const bool inside = y >= 0 && y < map.h && x >= 0 && x < map.w;
      row(repeat, r,
          inside ? ((int64_t(point.c1) * map.h + y) * map.w + x) * int64_t(fractal::kRowBytes)
                 : -1);
      window = walk.next(window);
    }
    if (record.repeat_mode == 1) {
      first = window;
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
  const FeatureMap map = described_by(record, check.registers().fmatrix);
  check_geometry(record, map, check, 255);
  check_start(record, check, map);
}

void footprint(const LoadData3DV1Record& record, Core& core, Footprint& footprint) {
  if (record.repeats == 0) return;
  const FeatureMap map = described_by(record, core.registers().fmatrix);
  int64_t first = INT64_MAX, last = -1;
  for_each_row(record, map, [&](unsigned, unsigned, int64_t source) {
    if (source < 0) return;
    first = std::min(first, source);
    last = std::max(last, source);
  });
  if (last >= 0) {
    footprint.add_bytes(record.src, "srcLocal", Access::kRead, uint64_t(first),
                        uint64_t(last - first) + fractal::kRowBytes);
  }
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
  const PadRow pad(registers.padding);
  const uint8_t* src = core.data(record.src);
  uint8_t* dst = core.data(record.dst);
  const bool transposed = core.soc().space_of(record.dst.position) == Space::kL0B;
  for_each_row(record, registers.fmatrix, [&](unsigned repeat, unsigned r, int64_t source) {
    uint8_t* out = dst + repeat * dst_pitch(record);
    const uint8_t* row = source < 0 ? pad.bytes : src + source;
    if (!transposed) {
      std::memcpy(out + r * fractal::kRowBytes, row, fractal::kRowBytes);
      return;
    }
    for (unsigned c = 0; c < 16; ++c) {
      std::memcpy(out + (c * fractal::kRows + r) * sizeof(uint16_t), row + c * sizeof(uint16_t),
                  sizeof(uint16_t));
    }
  });
}

}  // namespace

extern constinit const Instruction load_data_3d_v1 =
    make_instruction<LoadData3DV1Record, signature, pipe, check, footprint, execute>(
        "load_data_3d_v1", "LoadData (3D v1)", "LoadData", kSupport);

}  // namespace vinci::isa
