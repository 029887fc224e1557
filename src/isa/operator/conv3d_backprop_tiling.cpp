// What must hold of the shapes of a convolution's gradients, and how they are cut into tiles.
// Sources and decisions: docs/spec/conv3d_backprop_input.md, docs/spec/conv3d_backprop_filter.md.
#include "isa/operator/conv3d_backprop_tiling.h"

#include <algorithm>

#include <fmt/format.h>

#include "numeric/whole.h"

namespace vinci::conv3d {
namespace {

// The size of an input that is not said.
int64_t reached(const Conv3dAxis& axis, int64_t output, int64_t pad) {
  return (output - 1) * axis.stride + axis.reach() - axis.before - axis.after + pad;
}

bool is_same(const char* what, int64_t value, const char* other, int64_t wanted,
             const Report& report) {
  if (value == wanted) return true;
  report(Code::kCombination, fmt::format("{} is {}", what, value),
         fmt::format("{}, as of {}", wanted, other));
  return false;
}

// From what host code has said.
bool shape_of(const Conv3dBackpropRequest& r, Conv3dShape& s, const Report& report) {
  const Conv3dVolume &x = r.input, &w = r.weight, &y = r.grad_output;
  if (!product::check_ranges({{"N of GradOutput", y.n, 1, INT32_MAX},
                              {"D of GradOutput", y.d, 1, INT32_MAX},
                              {"H of GradOutput", y.h, 1, INT32_MAX},
                              {"W of GradOutput", y.w, 1, INT32_MAX}},
                             report)) {
    return false;
  }
  s.ci = w.c;
  s.co = w.n;
  s.d = r.d;
  s.h = r.h;
  s.w = r.w;
  s.d.kernel = w.d;
  s.h.kernel = w.h;
  s.w.kernel = w.w;
  const bool is_said = x.n >= 0;
  s.d.size = is_said ? x.d : reached(s.d, y.d, r.output_pad_d);
  s.h.size = is_said ? x.h : reached(s.h, y.h, r.output_pad_h);
  s.w.size = is_said ? x.w : reached(s.w, y.w, r.output_pad_w);
  if (!check_shape(s, "padFront", "padBack", report)) return false;
  if (is_said && (!is_same("N of Input", x.n, "GradOutput", y.n, report) ||
                  !is_same("C of Input", x.c, "Weight", w.c, report))) {
    return false;
  }
  return is_same("C of GradOutput", y.c, "Weight", w.n, report) &&
         is_same("D of GradOutput", y.d, "the convolution", s.d.positions(), report) &&
         is_same("H of GradOutput", y.h, "the convolution", s.h.positions(), report) &&
         is_same("W of GradOutput", y.w, "the convolution", s.w.positions(), report);
}

// What both tilings have alike.
template <class Tiling>
void set_shape(const Conv3dShape& s, int64_t batch, Tiling& t) {
  t.batch = uint32_t(batch);
  t.cin = uint32_t(s.ci);
  t.cout = uint32_t(s.co);
  t.cin1G = uint32_t(blocks_of(s.ci));
  t.cout1G = uint32_t(blocks_of(s.co));
  t.dout = uint32_t(s.d.positions());
  t.ho = uint32_t(s.h.positions());
  t.wo = uint32_t(s.w.positions());
  t.di = uint32_t(s.d.size);
  t.hi = uint32_t(s.h.size);
  t.wi = uint32_t(s.w.size);
  t.dk = uint32_t(s.d.kernel);
  t.hk = uint32_t(s.h.kernel);
  t.wk = uint32_t(s.w.kernel);
  t.group = 1;
  t.strideD = uint32_t(s.d.stride);
  t.strideH = uint32_t(s.h.stride);
  t.strideW = uint32_t(s.w.stride);
  t.padFront = uint32_t(s.d.before);
  t.padBack = uint32_t(s.d.after);
  t.padUp = uint32_t(s.h.before);
  t.padDown = uint32_t(s.h.after);
  t.padLeft = uint32_t(s.w.before);
  t.padRight = uint32_t(s.w.after);
  t.dilationD = uint32_t(s.d.dilation);
  t.dilationH = uint32_t(s.h.dilation);
  t.dilationW = uint32_t(s.w.dilation);
  t.al0Pbuffer = t.bl0Pbuffer = 2;
  t.cl0Pbuffer = t.al1Pbuffer = t.bl1Pbuffer = 1;
  t.stepM = t.stepN = 1;
  t.iterateOrder = 1;
  t.singleCoreGroup = 1;
  t.singleCoreBatch = uint64_t(batch);
  t.singleCoreCout = uint32_t(s.co);
  t.singleCoreHo = uint32_t(s.h.positions());
  t.singleCoreCin = uint64_t(s.ci);
}

void set_spread(const Conv3dShape& s, Conv3dBpInputTilingData& t) {
  const SpreadPads d = spread_pads(s.d), h = spread_pads(s.h), w = spread_pads(s.w);
  t.backpropPadTail = int32_t(d.after);
  t.backpropPadUp = int32_t(h.before);
  t.backpropPadDown = int32_t(h.after);
  t.backpropPadLeft = int32_t(w.before);
  t.backpropPadRight = int32_t(w.after);
}

}  // namespace

SpreadPads spread_pads(const Conv3dAxis& a) {
  const int64_t before = a.reach() - 1 - a.before;
  return {before, a.size + a.before - ((a.positions() - 1) * a.stride + 1)};
}

bool check_spread(const Conv3dShape& shape, const Report& report) {
  const Conv3dAxis h = spread(shape.h).axis, w = spread(shape.w).axis;
  return product::check_ranges({{"backpropPadUp", h.before, 0, 255},
                                {"backpropPadDown", h.after, 0, 255},
                                {"backpropPadLeft", w.before, 0, 255},
                                {"backpropPadRight", w.after, 0, 255},
                                {"what is seen of (Wout - 1) * strideW + 1", w.size, 0, 32767}},
                               report);
}

uint64_t filter_l1_bytes(const Conv3dShape& shape, uint32_t m, int64_t lines) {
  const int64_t line = shape.w.positions();
  const uint64_t rows = round_up(uint64_t(lines * line), product::kBlock);
  return rows * m * 2 + uint64_t(plane_bytes(shape.h, shape.w, lines * line));
}

int64_t filter_lines(const Conv3dShape& shape, uint32_t m, uint64_t l1_bytes, int64_t wanted) {
  // Rows are counted in 16 bits where they are copied and loaded.
  const int64_t counted = std::min(shape.h.positions(), 65520 / shape.w.positions());
  int64_t lines = std::clamp<int64_t>(wanted, 1, std::max<int64_t>(counted, 1));
  while (lines > 1 && filter_l1_bytes(shape, m, lines) > l1_bytes) lines -= (lines + 7) / 8;
  return std::max<int64_t>(lines, 1);
}

bool make_tiling(const Conv3dBackpropRequest& request, Conv3dBpInputTilingData& t,
                 const Report& report) {
  Conv3dShape s;
  if (!shape_of(request, s, report) || !check_spread(s, report)) return false;
  const int64_t planes = std::min(s.d.kernel, s.d.positions()) * blocks_of(s.co);
  const int64_t rows = s.h.size * s.w.size, columns = points_of(s) * kC0;
  Cut tile;
  const Whole whole{
      spread(s.h).axis, spread(s.w).axis, points_of(s), planes, rows, s.ci, product::kBlock, false};
  if (!cut(whole, request.memory, tile, report)) return false;
  // stepKa * baseK columns are in L1.
  const int64_t depth = tile.planes == 0 ? tile.k : std::min(tile.k, tile.planes * columns);
  t = {};
  set_shape(s, request.grad_output.n, t);
  set_spread(s, t);
  t.cout1 = t.cout1G;
  t.cin1 = t.cin1G;
  t.c0 = kC0;
  t.c0Bits = 4;
  t.singleCoreCout1 = t.cout1;
  t.singleCoreCin1 = t.cin1;
  t.singleCoreDin = t.di;
  t.singleCoreM = uint64_t(rows);
  t.baseM = uint32_t(tile.m);
  t.baseK = uint32_t(depth);
  t.baseN = uint32_t(tile.n);
  t.baseD = t.baseBatch = t.baseGroup = 1;
  t.stepKa = uint32_t(std::max<int64_t>(tile.planes * columns / depth, 1));
  t.stepKb = uint32_t(std::max<int64_t>(tile.weights * columns / depth, 1));
  t.stepBatch = t.stepGroup = 1;
  return true;
}

bool make_tiling(const Conv3dBackpropRequest& request, Conv3dBpFilterTilingData& t,
                 const Report& report) {
  Conv3dShape s;
  if (!product::check_ranges({{"N of Input", request.input.n, 1, INT32_MAX}}, report) ||
      !shape_of(request, s, report)) {
    return false;
  }
  const Conv3dMemory& memory = request.memory;
  const int64_t line = s.w.positions(), rows = s.h.positions() * line;
  const int64_t columns = blocks_of(s.ci) * points_of(s) * kC0;
  const int64_t m = tile_of(s.co), n = tile_of(columns);
  // Two tiles of each factor are in L0 at once.
  const int64_t depth = std::min(memory.l0a / (2 * m * 2), memory.l0b / (2 * n * 2)) / kC0 * kC0;
  const auto l1 = uint64_t(memory.l1);
  if (depth < kC0 || m * n * 4 > memory.l0c || filter_l1_bytes(s, uint32_t(m), 1) > l1) {
    report(Code::kOutOfSpace,
           fmt::format("a tile with {} bytes of L1 does not fit L1 ({} bytes), L0A, L0B and L0C",
                       filter_l1_bytes(s, uint32_t(m), 1), memory.l1),
           "a narrower input, or a smaller kernel or dilation along H");
    return false;
  }
  const int64_t held = filter_lines(s, uint32_t(m), l1, s.h.positions()) * line;
  // stepKa * baseK rows are in L1.
  const int64_t whole = held < rows ? held / kC0 * kC0 : held + (-held & (kC0 - 1));
  const int64_t k = std::clamp(whole, kC0, depth);
  t = {};
  set_shape(s, request.grad_output.n, t);
  t.channelSize = t.m0 = t.k0 = t.n0 = kC0;
  t.baseM = uint32_t(m);
  t.baseK = uint32_t(k);
  t.baseN = uint32_t(n);
  t.stepKa = t.stepKb = uint32_t(std::max<int64_t>(held / k, 1));
  t.bl1Bound = uint32_t(m * held);
  t.singleCoreDK = 1;
  t.totalL1Size = l1 / 2;
  t.singleCoreM = uint64_t(s.co);
  t.singleCoreN = uint64_t(columns);
  t.singleCoreK = uint64_t(rows);
  return true;
}

}  // namespace vinci::conv3d

namespace vinci {

bool conv3d_bp_input_tiling(const Conv3dBackpropRequest& request, Conv3dBpInputTilingData& tiling) {
  return conv3d::make_tiling(request, tiling, conv3d::tell_host);
}

bool conv3d_bp_filter_tiling(const Conv3dBackpropRequest& request,
                             Conv3dBpFilterTilingData& tiling) {
  return conv3d::make_tiling(request, tiling, conv3d::tell_host);
}

}  // namespace vinci
