// What must hold of shapes of Conv3D and its gradients, and how one core's part of Conv3D is cut
// into tiles. Sources and decisions: docs/spec/conv3d.md.
#include "isa/operator/conv3d_tiling.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "kernel/fractal.h"
#include "numeric/whole.h"

namespace vinci::conv3d {
namespace {

constexpr int64_t kMost = (int64_t{1} << 31) - 1;
constexpr int64_t kMostColumns = 4095;  // blocks of C0 columns: what kStartPt and channelSize reach

bool check_axis(const char* letter, const Conv3dAxis& axis, const Report& report) {
  if (axis.positions() > 0) return true;
  report(Code::kCombination,
         fmt::format("the dilated kernel covers {} along {}, and the padded input has {}",
                     axis.reach(), letter, axis.size + axis.before + axis.after),
         "dilation * (kernel - 1) + 1 <= input + pads");
  return false;
}

}  // namespace

Conv3dShape shape_of(const Conv3dTilingData& t) {
  Conv3dShape shape;
  shape.groups = t.groups;
  shape.ci = t.orgCi;
  shape.co = t.orgCo;
  shape.d = {int64_t(t.orgDi), t.kernelD, t.strideD, t.dilationD, t.padHead, t.padTail};
  shape.h = {int64_t(t.orgHi), t.kernelH, t.strideH, t.dilationH, t.padUp, t.padDown};
  shape.w = {int64_t(t.orgWi), t.kernelW, t.strideW, t.dilationW, t.padLeft, t.padRight};
  return shape;
}

bool check_shape(const Conv3dShape& s, const char* front, const char* back, const Report& report) {
  // Along H and W as far as LoadData 3D goes.
  return product::check_ranges({{"groups", s.groups, 1, 1},
                                {"Cin", s.ci, 1, kMost},
                                {"Cout", s.co, 1, kMost},
                                {"Din", s.d.size, 1, kMost},
                                {"Hin", s.h.size, 1, kMost},
                                {"Win", s.w.size, 1, 32767},
                                {"kernelD", s.d.kernel, 1, kMost},
                                {"kernelH", s.h.kernel, 1, 511},
                                {"kernelW", s.w.kernel, 1, 511},
                                {"strideD", s.d.stride, 1, kMost},
                                {"strideH", s.h.stride, 1, 63},
                                {"strideW", s.w.stride, 1, 63},
                                {"dilationD", s.d.dilation, 1, kMost},
                                {"dilationH", s.h.dilation, 1, 255},
                                {"dilationW", s.w.dilation, 1, 255},
                                {front, s.d.before, 0, kMost},
                                {back, s.d.after, 0, kMost},
                                {"padUp", s.h.before, 0, 255},
                                {"padDown", s.h.after, 0, 255},
                                {"padLeft", s.w.before, 0, 255},
                                {"padRight", s.w.after, 0, 255}},
                               report) &&
         product::check_ranges({{"kernelH * kernelW", points_of(s), 1, kMostColumns}}, report) &&
         check_axis("D", s.d, report) && check_axis("H", s.h, report) &&
         check_axis("W", s.w, report);
}

bool check_part(const Conv3dShape& s, const Conv3dPart& part, const Report& report) {
  return product::check_ranges({{"singleCo", part.co, 1, s.co},
                                {"singleDo", part.depth, 1, s.d.positions()},
                                {"singleM", part.m, 1, s.h.positions() * s.w.positions()}},
                               report);
}

SpreadAxis spread(const Conv3dAxis& a) {
  // Windows see elements from -before on, before `needed`.
  const int64_t before = a.reach() - 1 - a.before, needed = a.size + a.before;
  const int64_t first = std::max<int64_t>(-before, 0);
  const int64_t end = std::min((a.positions() - 1) * a.stride + 1, needed);
  SpreadAxis spread{a, first};
  spread.axis.size = std::max<int64_t>(end - first, 0);
  spread.axis.stride = 1;
  spread.axis.before = std::max<int64_t>(before, 0);
  spread.axis.after = needed - std::max(end, first);
  return spread;
}

int64_t blocks_of(int64_t channels) { return divided_up(channels, kC0); }
int64_t points_of(const Conv3dShape& shape) { return shape.h.kernel * shape.w.kernel; }
int64_t most_planes(const Conv3dShape& shape) { return kMostColumns / points_of(shape); }

int64_t plane_bytes(const Conv3dAxis& h, const Conv3dAxis& w, int64_t rows) {
  const int64_t line = w.positions();
  // Rows that begin in the middle of a line reach into one more.
  const int64_t lines = std::min(h.positions(), (rows + line - 2) / line + 1);
  const int64_t needed = (lines - 1) * h.stride + h.reach();
  return std::min(h.size, needed) * w.size * int64_t(fractal::kRowBytes);
}

void tell_host(Code, std::string text, std::string legal) {
  std::fputs(fmt::format("vinci: GetTiling: {}; legal: {}\n", text, legal).c_str(), stderr);
}

namespace {

constexpr uint32_t kBlock = product::kBlock;
constexpr uint64_t kUnit = fractal::kBytes;  // of what lies in L1 side by side

int64_t weight_bytes(int64_t k, int64_t n) { return k * n * 2; }

}  // namespace

int64_t tile_of(int64_t size) {
  constexpr int64_t most = 128;  // two such tiles are in L0C at once
  return std::min(int64_t(round_up(uint64_t(size), kBlock)), most);
}

bool cut(const Whole& whole, const Conv3dMemory& memory, Cut& cut, const Report& report) {
  const auto plane = [&](int64_t m) { return plane_bytes(whole.h, whole.w, m + whole.lead); };
  int64_t m = tile_of(whole.rows);
  const int64_t n = tile_of(whole.channels), rows = m + whole.lead;
  // Two tiles of each factor are in L0 at once.
  const int64_t depth = std::min(memory.l0a / (2 * rows * 2), memory.l0b / (2 * n * 2)) / kC0;
  const int64_t k = std::min(depth, std::min(whole.planes, depth) * whole.points) * kC0;
  const int64_t bias = whole.has_bias ? int64_t(round_up(uint64_t(n) * 4, kUnit)) : 0;
  const int64_t room = memory.l1 - weight_bytes(k, n) - bias;
  while (m > kBlock && plane(m) > room) m -= kBlock;
  if (k < kC0 || rows * n * 4 > memory.l0c || plane(m) > room ||
      (whole.has_bias && n * 4 > memory.bias_table)) {
    report(
        Code::kOutOfSpace,
        fmt::format("a tile with {} bytes of each plane of the input does not fit L1 ({} bytes), "
                    "L0A, L0B and L0C",
                    plane(m), memory.l1),
        "a narrower input, or a smaller kernel or dilation along H");
    return false;
  }
  const int64_t columns = whole.points * kC0;
  int64_t planes = std::min(whole.planes, kMostColumns / whole.points);
  if (plane(m) > 0) planes = std::min(planes, room / plane(m));
  // Weights of whole planes, if what is left holds them.
  const int64_t left = room - planes * plane(m) + weight_bytes(k, n);
  const int64_t weights = std::min(whole.planes, left / weight_bytes(columns, n));
  cut = {m, n, k, planes, weights};
  return true;
}

namespace {

// Without tiles.
Conv3dTilingData tiling_of(const Conv3dShape& s, const Conv3dPart& part) {
  Conv3dTilingData t;
  t.groups = uint32_t(s.groups);
  t.singleCoreDo = uint64_t(part.depth);
  t.singleCoreCo = uint32_t(part.co);
  t.singleCoreM = uint64_t(part.m);
  t.orgDo = uint64_t(s.d.positions());
  t.orgCo = uint32_t(s.co);
  t.orgHo = uint64_t(s.h.positions());
  t.orgWo = uint64_t(s.w.positions());
  t.orgCi = uint32_t(s.ci);
  t.orgDi = uint64_t(s.d.size);
  t.orgHi = uint64_t(s.h.size);
  t.orgWi = uint64_t(s.w.size);
  t.kernelD = uint32_t(s.d.kernel);
  t.kernelH = uint32_t(s.h.kernel);
  t.kernelW = uint32_t(s.w.kernel);
  t.strideD = uint32_t(s.d.stride);
  t.strideH = uint32_t(s.h.stride);
  t.strideW = uint32_t(s.w.stride);
  t.dilationD = uint32_t(s.d.dilation);
  t.dilationH = uint32_t(s.h.dilation);
  t.dilationW = uint32_t(s.w.dilation);
  t.padHead = uint32_t(s.d.before);
  t.padTail = uint32_t(s.d.after);
  t.padUp = uint32_t(s.h.before);
  t.padDown = uint32_t(s.h.after);
  t.padLeft = uint32_t(s.w.before);
  t.padRight = uint32_t(s.w.after);
  return t;
}

}  // namespace

bool make_tiling(const Conv3dTilingRequest& request, Conv3dTilingData& t, const Report& report) {
  const Conv3dShape& s = request.shape;
  const Conv3dPart& part = request.part;
  if (!check_shape(s, "padHead", "padTail", report) || !check_part(s, part, report)) return false;
  const int64_t columns = points_of(s) * kC0, planes = s.d.kernel * blocks_of(s.ci);
  Cut tile;
  const Whole whole{s.h, s.w, points_of(s), planes, part.m, part.co, 0, request.has_bias};
  if (!cut(whole, request.memory, tile, report)) return false;
  t = tiling_of(s, part);
  t.mL0 = uint32_t(tile.m);
  t.kL0 = uint32_t(tile.k);
  t.nL0 = uint32_t(tile.n);
  t.kAL1 = uint32_t(tile.planes * columns);
  t.kBL1 = uint32_t(tile.weights > 0 ? tile.weights * columns : tile.k);
  t.nBL1 = uint32_t(tile.n);
  t.mAL1 = uint32_t(tile.m);
  t.al1FullLoad = tile.planes == planes && tile.m >= part.m && part.depth == 1;
  t.bl1FullLoad = tile.weights == planes && tile.n >= part.co;
  t.iterateMNOrder = part.m < part.co;
  return true;
}

}  // namespace vinci::conv3d

namespace vinci {

bool conv3d_tiling(const Conv3dTilingRequest& request, Conv3dTilingData& tiling) {
  return conv3d::make_tiling(request, tiling, conv3d::tell_host);
}

}  // namespace vinci
