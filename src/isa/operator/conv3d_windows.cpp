#include "isa/operator/conv3d_windows.h"

#include <algorithm>

#include "isa/operator/matmul_factor.h"
#include "isa/operator/product_steps.h"
#include "kernel/fractal.h"
#include "numeric/whole.h"
#include "vinci/record/cube.h"
#include "vinci/record/move.h"

namespace vinci::isa {

extern const Instruction data_copy;
extern const Instruction load_data_3d_v2;

namespace {

using conv3d::divided_up;
using conv3d::kC0;
using fractal::kRowBytes;

constexpr int64_t kMostBursts = 4095;

// Elements of memory that windows see between `from` and `to`: first..last - 1.
struct Seen {
  int64_t first, last;
};
Seen seen(const Conv3dMap::Spread& spread, int64_t from, int64_t to, int64_t size) {
  return {divided_up(from + spread.first, spread.gap),
          std::min(size, divided_up(to + spread.first, spread.gap))};
}

}  // namespace

Conv3dMap input_map(const Operand& memory, const Conv3dShape& shape) {
  Conv3dMap map;
  map.memory = memory;
  map.planes = conv3d::blocks_of(shape.ci);
  map.lines = shape.h.size;
  map.columns = shape.w.size;
  map.h = shape.h;
  map.w = shape.w;
  return map;
}

Conv3dMap spread_map(const Operand& memory, const Conv3dShape& shape) {
  Conv3dMap map;
  map.memory = memory;
  map.planes = conv3d::blocks_of(shape.co);
  map.lines = shape.h.positions();
  map.columns = shape.w.positions();
  const conv3d::SpreadAxis h = conv3d::spread(shape.h), w = conv3d::spread(shape.w);
  map.h = h.axis;
  map.w = w.axis;
  map.spread_h = {shape.h.stride, h.first};
  map.spread_w = {shape.w.stride, w.first};
  return map;
}

uint32_t Conv3dWindows::Rows::loaded() const { return round_up(lead + count, product::kBlock); }

Conv3dWindows::Rows Conv3dWindows::rows_at(int64_t m, uint32_t count) const {
  Rows rows{};
  const int64_t line = map_.row_line();
  rows.m = m;
  rows.count = count;
  rows.lead = uint32_t(m % line % product::kBlock);
  const Conv3dAxis& h = map_.h;
  const int64_t first = m / line * h.stride - h.before;
  const int64_t last = (m + count - 1) / line * h.stride - h.before + h.reach() - 1;
  rows.y = std::max<int64_t>(first, 0);
  const int64_t end = std::min(last, h.size - 1);
  rows.lines = map_.w.size <= 0 ? 0 : std::max<int64_t>(end - rows.y + 1, 0);
  rows.top = uint8_t(rows.y - first);
  rows.bottom = uint8_t(last - end);
  return rows;
}

uint64_t Conv3dWindows::plane_bytes(const Rows& rows) const {
  return uint64_t(rows.lines) * uint64_t(map_.w.size) * kRowBytes;
}

void Conv3dWindows::to_l1(const Rows& rows, Planes planes, const Operand& l1) const {
  const auto pitch = uint64_t(map_.lines) * uint64_t(map_.columns);
  const uint64_t first = uint64_t(planes.slice * map_.planes + planes.first) * pitch;
  if (map_.spread_h.gap == 1 && map_.spread_w.gap == 1 && map_.w.size == map_.columns) {
    const auto elements = uint64_t(rows.lines) * uint64_t(map_.w.size);
    const uint64_t y = uint64_t((rows.y + map_.spread_h.first) * map_.columns);
    return copy_columns_to_l1(core_, part_of(map_.memory, (first + y) * kRowBytes), l1,
                              uint32_t(planes.count), uint32_t(elements), pitch,
                              uint32_t(elements));
  }
  Operand all = l1;
  all.bytes = uint64_t(planes.count) * plane_bytes(rows);
  fill_l1_with_zeros(core_, all);
  for (int64_t i = 0; i < planes.count; ++i) {
    copy_spread(rows, first + uint64_t(i) * pitch, part_of(l1, uint64_t(i) * plane_bytes(rows)));
  }
}

// The lines of one plane, which lies in GM from the element `from` on, between zeros.
void Conv3dWindows::copy_spread(const Rows& rows, uint64_t from, const Operand& l1) const {
  const auto [first_line, last_line] = seen(map_.spread_h, rows.y, rows.y + rows.lines, map_.lines);
  const auto [left, right] = seen(map_.spread_w, 0, map_.w.size, map_.columns);
  const int64_t gap = map_.spread_w.gap, at_once = gap == 1 ? right - left : kMostBursts;
  DataCopyRecord copy;
  copy.instruction = &data_copy;
  for (int64_t line = first_line; line < last_line; ++line) {
    const int64_t y = line * map_.spread_h.gap - map_.spread_h.first - rows.y;
    for (int64_t x = left; x < right; x += at_once) {
      const int64_t to = y * map_.w.size + x * gap - map_.spread_w.first;
      const auto count = uint16_t(std::min(at_once, right - x));
      copy.src = part_of(map_.memory, (from + uint64_t(line * map_.columns + x)) * kRowBytes);
      copy.dst = part_of(l1, uint64_t(to) * kRowBytes);
      copy.bursts = gap == 1 ? Bursts{1, count, 0, 0} : Bursts{count, 1, 0, uint16_t(gap - 1)};
      core_.issue(copy);
    }
  }
}

void Conv3dWindows::to_l0(const Rows& rows, int64_t planes, const Block& block, const Operand& l1,
                          const Operand& l0) const {
  LoadData3DV2Record load;
  load.instruction = &load_data_3d_v2;
  load.src = l1;
  load.dst = l0;
  load.pad[0] = uint8_t(map_.w.before);
  load.pad[1] = uint8_t(map_.w.after);
  load.pad[2] = rows.top;
  load.pad[3] = rows.bottom;
  load.l1_h = uint16_t(rows.lines);
  load.l1_w = uint16_t(map_.w.size);
  load.channels = uint16_t(planes * kC0);
  load.m_start = uint16_t(block.first_row);
  load.m_extension = uint16_t(block.rows);
  load.k_start = uint16_t(block.k * kC0);
  load.k_extension = uint16_t(block.k_blocks * kC0);
  load.stride_h = uint8_t(map_.h.stride);
  load.stride_w = uint8_t(map_.w.stride);
  load.filter_h = uint16_t(map_.h.kernel);
  load.filter_w = uint16_t(map_.w.kernel);
  load.dilation_h = uint8_t(map_.h.dilation);
  load.dilation_w = uint8_t(map_.w.dilation);
  core_.issue(load);
}

}  // namespace vinci::isa
