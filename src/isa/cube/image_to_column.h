// Image to column: the walk of a filter's window over a feature map in L1, and the rows of 32 bytes
// that it sees at one point of the filter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "core/check.h"
#include "core/footprint.h"
#include "core/memory.h"
#include "isa/cube/feature_map.h"
#include "kernel/fractal.h"
#include "kernel/transpose.h"

namespace vinci::feature_map {

// Where a window stands: its corner in pixels of the map, negative inside the pads.
struct Window {
  int32_t y, x;
  int32_t left;  // positions from here to the end of the line
};

// How windows follow each other: along a line, then to the start of the next. A map has at most
// 2^30 pixels.
class Windows {
 public:
  template <class R>
  Windows(const R& record, const FeatureMap& map)
      : h_(map.h),
        w_(map.w),
        first_x_(-int32_t(map.pad[0])),
        first_y_(-int32_t(map.pad[2])),
        last_x_(w_ + map.pad[1] - reach(record.filter_w, record.dilation_w)),
        stride_x_(record.stride_w),
        stride_y_(record.stride_h),
        // At least 1, so that a walk ends even where no window fits.
        per_line_(std::max(1, positions(w_ + map.pad[0] + map.pad[1], record.filter_w,
                                        record.dilation_w, record.stride_w))) {}

  // Windows of one pixel, side by side: all lines become one, and runs as long as can be. Only for
  // walks that start at a number.
  template <class R>
  void join_lines(const R& record) {
    const bool each_pixel = record.filter_w == 1 && record.filter_h == 1 && stride_x_ == 1 &&
                            stride_y_ == 1 && per_line_ == w_ && first_x_ == 0 && first_y_ == 0;
    if (!each_pixel) return;
    per_line_ = w_ *= h_;
    h_ = 1;
  }

  // Number m from the map's upper left corner, pads included.
  Window at(int32_t m) const {
    const int32_t behind = m % per_line_;
    return {m / per_line_ * stride_y_ + first_y_, behind * stride_x_ + first_x_,
            per_line_ - behind};
  }
  // With its corner anywhere; at least one position is left in the line.
  Window from(int32_t y, int32_t x) const {
    return {y, x, x > last_x_ ? 1 : (last_x_ - x) / stride_x_ + 1};
  }

  // The window `rows` rows on.
  Window after(const Window& window, int32_t rows) const {
    if (rows < window.left) return {window.y, window.x + rows * stride_x_, window.left - rows};
    rows -= window.left;
    const int32_t behind = rows % per_line_;
    return {window.y + (rows / per_line_ + 1) * stride_y_, first_x_ + behind * stride_x_,
            per_line_ - behind};
  }

  // Walks `rows` rows from `window` on. run(row, count, pixel): rows row .. row + count - 1 see the
  // pixels pixel, pixel + stride(), ... (numbers in the map) at the filter point (dy, dx) from the
  // corner. pad(row, count): they see none.
  template <class Run, class Pad>
  [[gnu::always_inline]] void walk(const Window& window, int32_t rows, int32_t dy, int32_t dx,
                                   const Run& run, const Pad& pad) const {
    int32_t y = window.y + dy, x = window.x + dx, left = window.left;
    for (int32_t row = 0; row < rows;) {
      const int32_t count = std::min(left, rows - row);
      // [begin, end): the positions inside the map.
      int32_t begin = 0, end = y >= 0 && y < h_ ? count : 0;
      if (x < 0) begin = std::min(end, steps(-x));
      if (x + (end - 1) * stride_x_ >= w_) end = x >= w_ ? begin : std::max(begin, steps(w_ - x));
      if (begin > 0) pad(row, begin);
      if (end > begin) run(row + begin, end - begin, y * w_ + x + begin * stride_x_);
      if (count > end) pad(row + end, count - end);
      row += count;
      y += stride_y_;
      x = first_x_ + dx;
      left = per_line_;
    }
  }

  int32_t stride() const { return stride_x_; }

 private:
  // To get as far; most strides are 1, and a division is slow.
  int32_t steps(int32_t distance) const {
    return stride_x_ == 1 ? distance : (distance + stride_x_ - 1) / stride_x_;
  }

  int32_t h_, w_;
  int32_t first_x_, first_y_;  // of the corner of number 0
  int32_t last_x_;             // where a corner may be at most
  int32_t stride_x_, stride_y_;
  int32_t per_line_;
};

// Where a walk with one point of the filter begins.
template <class R>
void check_first_window(const R& record, const FeatureMap& map, Check& check) {
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

// A point of the filter, for some channels of the map.
struct Point {
  int32_t dy, dx;  // pixels from the window's corner
  uint64_t start;  // byte where these channels of pixel 0 lie, from the start of the source
  unsigned bytes;  // these channels of one pixel, and from one pixel to the next
  unsigned place;  // byte in a row of 32 bytes
};

// A column block: the points whose channels fill rows of 32 bytes, or their first `bytes`.
struct Column {
  Point points[8];
  unsigned count = 0;
  unsigned bytes = 0;

  void add(int32_t dy, int32_t dx, uint64_t start, unsigned of_pixel) {
    points[count++] = {dy, dx, start, of_pixel, bytes};
    bytes += of_pixel;
  }
};

// Where a 3D load reads, and what it pads with. With a boundary, L1 is a ring of so many bytes.
class Reader {
 public:
  Reader(const Windows& windows, const Operand& src, const Memory& memory, uint32_t padding,
         uint64_t boundary)
      : windows_(windows),
        l1_(memory.data(src) - src.address),
        start_(src.address),
        boundary_(boundary),
        padding_(padding) {}

  // What the column's points see from `rows` windows, as rows of 32 bytes; the rest of each row
  // stays as it was. 16 rows make a fractal, and fractals are `pitch` bytes apart.
  // Inlined: for 16 rows a call takes as long as the copy.
  [[gnu::always_inline]] void read(const Window& window, int32_t rows, const Column& column,
                                   uint8_t* out, uint64_t pitch) const {
    for (unsigned p = 0; p < column.count; ++p) {
      const Point& point = column.points[p];
      feed(window, rows, point,
           [&](unsigned row, unsigned count, const uint8_t* from, uint64_t step) {
             while (count > 0) {
               const unsigned at = row % fractal::kRows;
               const unsigned here = std::min(count, fractal::kRows - at);
               uint8_t* to = out + row / fractal::kRows * pitch + at * kRowBytes;
               copy_rows(here, from, step, point.bytes, to + point.place);
               row += here;
               count -= here;
               from += here * step;
             }
           });
    }
  }

  // The same transposed: each square of 32 / sizeof(T) rows is transposed. Squares are `pitch`
  // bytes apart. For a column of one point.
  template <class T>
  void read_turned(const Window& window, int32_t rows, const Column& column, uint8_t* out,
                   uint64_t pitch) const {
    constexpr unsigned kSide = kRowBytes / sizeof(T);
    uint8_t square[fractal::kBytes];
    feed(window, rows, column.points[0],
         [&](unsigned row, unsigned count, const uint8_t* from, uint64_t step) {
           while (count > 0) {
             const unsigned at = row % kSide;
             const unsigned here = std::min(count, kSide - at);
             uint8_t* to = out + row / kSide * pitch;
             if (here == kSide && step == kRowBytes) {
               fractal::transpose_square<T>(from, to);
             } else {
               copy_rows(here, from, step, kRowBytes, square + at * kRowBytes);
               if (at + here == kSide) fractal::transpose_square<T>(square, to);
             }
             row += here;
             count -= here;
             from += here * step;
           }
         });
  }

  // The same for any column; only the first `columns` columns of each square are written.
  template <class T>
  void read_part_turned(Window window, int32_t rows, const Column& column, unsigned columns,
                        uint8_t* out, uint64_t pitch) const {
    constexpr int32_t kSide = kRowBytes / sizeof(T);
    uint8_t square[fractal::kBytes] = {}, transposed[fractal::kBytes];
    for (int32_t row = 0; row < rows; row += kSide, out += pitch) {
      read(window, kSide, column, square, fractal::kBytes);
      window = windows_.after(window, kSide);
      fractal::transpose_square<T>(square, transposed);
      std::memcpy(out, transposed, columns * kRowBytes);
    }
  }

 private:
  static constexpr auto kRowBytes = unsigned(fractal::kRowBytes);

  // Calls sink(row, count, from, step): the rows row .. row + count - 1 see what lies at `from`,
  // `step` bytes apart.
  template <class Sink>
  [[gnu::always_inline]] void feed(const Window& window, int32_t rows, const Point& point,
                                   const Sink& sink) const {
    const uint64_t start = start_ + point.start;
    const uint64_t step = uint64_t(windows_.stride()) * point.bytes;
    windows_.walk(
        window, rows, point.dy, point.dx,
        [&](int32_t row, int32_t count, int32_t pixel) {
          uint64_t from = start + uint64_t(pixel) * point.bytes;
          if (boundary_ == 0) return sink(unsigned(row), unsigned(count), l1_ + from, step);
          for (; count > 0; --count, ++row, from += step) {
            uint8_t bytes[kRowBytes];
            copy_from_ring(bytes, from, point.bytes);
            sink(unsigned(row), 1, bytes, 0);
          }
        },
        [&](int32_t row, int32_t count) {
          sink(unsigned(row), unsigned(count), padding_.bytes, 0);
        });
  }

  // 16 rows at most.
  static void copy_rows(unsigned count, const uint8_t* from, uint64_t step, unsigned bytes,
                        uint8_t* to) {
    if (bytes != kRowBytes) {
      for (; count > 0; --count, to += kRowBytes, from += step) std::memcpy(to, from, bytes);
    } else if (count == 16 && step == kRowBytes) {
      fractal::copy_fractal(to, from);
    } else {
      copy_some<16>(count, from, step, to);
      copy_some<8>(count, from, step, to);
      copy_some<4>(count, from, step, to);
      copy_some<2>(count, from, step, to);
      copy_some<1>(count, from, step, to);
    }
  }
  // kPart rows, if they are a part of `count`: straight code is twice as fast as a loop.
  template <unsigned kPart>
  static void copy_some(unsigned count, const uint8_t*& from, uint64_t step, uint8_t*& to) {
    if ((count & kPart) == 0) return;
#pragma GCC unroll 16
    for (unsigned i = 0; i < kPart; ++i, to += kRowBytes, from += step) {
      fractal::copy_row(to, from);
    }
  }
  void copy_from_ring(uint8_t* to, uint64_t address, uint64_t bytes) const {
    const uint64_t from = address % boundary_;
    const uint64_t before = std::min(bytes, boundary_ - from);
    std::memcpy(to, l1_ + from, before);
    std::memcpy(to + before, l1_, bytes - before);
  }

  const Windows& windows_;
  const uint8_t* l1_;
  uint64_t start_;
  uint64_t boundary_;  // 0: none
  PadRow padding_;
};

// The bytes of a 3D load's source: what its windows see. With a boundary, L1 is a ring, and what
// lies beyond it is read from the start of L1, whatever tensor that belongs to.
class Pixels {
 public:
  // `end`: one past the last byte of the source that is read. `reach`: see Region.
  Pixels(const Operand& src, uint64_t boundary, uint64_t end, decltype(Region::reach) reach)
      : src_(src),
        reach_(reach),
        boundary_(boundary == 0 || src.address + end <= boundary ? 0 : boundary) {}

  // `bytes` bytes from byte `first` of the source on, at most a lap.
  std::vector<Region> pieces(uint64_t first, uint64_t bytes) const {
    const uint64_t address = src_.address + first;
    if (boundary_ == 0) return {region(address, bytes, 1, 0)};
    if (bytes >= boundary_) return {region(0, boundary_, 1, 0)};
    const uint64_t from = address % boundary_, before = std::min(bytes, boundary_ - from);
    if (before == bytes) return {region(from, bytes, 1, 0)};
    return {region(from, before, 1, 0), region(0, bytes - before, 1, 0)};
  }
  // `count` times `bytes` bytes, `step` bytes from start to start.
  void add(Footprint& footprint, uint64_t first, uint64_t bytes, uint64_t count,
           uint64_t step) const {
    const uint64_t start = src_.address + first, end = start + (count - 1) * step + bytes;
    if (boundary_ == 0) return footprint.add(region(start, bytes, count, step));
    const uint64_t lap = start / boundary_ * boundary_;
    if (end <= lap + boundary_) return footprint.add(region(start - lap, bytes, count, step));
    for (uint64_t i = 0; i < count; ++i) {
      for (const Region& piece : pieces(first + i * step, bytes)) footprint.add(piece);
    }
  }

 private:
  Region region(uint64_t address, uint64_t bytes, uint64_t count, uint64_t step) const {
    return {src_, "srcLocal", Access::kRead, boundary_ == 0, address, bytes, count, int64_t(step),
            1,    0,          reach_};
  }

  const Operand& src_;
  decltype(Region::reach) reach_;
  uint64_t boundary_;  // 0: none, or not reached
};

// Adds what windows see of the source. walk(add) calls add(window, rows, column) for each strip.
template <class Walk>
void add_pixels(Footprint& footprint, const Operand& src, uint64_t boundary,
                decltype(Region::reach) reach, const Windows& windows, const Walk& walk) {
  const auto each_run = [&](auto run) {
    walk([&](const Window& window, int32_t rows, const Column& column) {
      for (unsigned p = 0; p < column.count; ++p) {
        const Point& point = column.points[p];
        windows.walk(
            window, rows, point.dy, point.dx,
            [&](int32_t, int32_t count, int32_t pixel) {
              run(point.start + uint64_t(pixel) * point.bytes, point.bytes, uint64_t(count));
            },
            [](int32_t, int32_t) {});
      }
    });
  };
  uint64_t first = UINT64_MAX, end = 0;
  const auto step_of = [&](uint64_t bytes) { return uint64_t(windows.stride()) * bytes; };
  each_run([&](uint64_t at, uint64_t bytes, uint64_t count) {
    first = std::min(first, at);
    end = std::max(end, at + (count - 1) * step_of(bytes) + bytes);
  });
  if (end == 0) return;
  Pixels pixels(src, boundary, end, reach);
  if (!footprint.scatters(pixels.pieces(first, end - first))) return;
  each_run([&](uint64_t at, uint64_t bytes, uint64_t count) {
    pixels.add(footprint, at, bytes, count, step_of(bytes));
  });
}

// Rules for loads inside a boundary: `boundary` and `least` in bytes.
inline void check_boundary(Check& check, const Operand& src, uint64_t boundary, uint64_t least) {
  if (boundary == 0) return;
  if (boundary < least) {
    check.fail(Code::kRange,
               fmt::format("SetLoadDataBoundary left a boundary of {} bytes", boundary),
               fmt::format("at least {} bytes, or 0 for none", least));
  } else if (src.address >= boundary) {
    check.fail(Code::kCombination,
               fmt::format("srcLocal starts at byte {} of L1, and SetLoadDataBoundary left a "
                           "boundary of {} bytes",
                           src.address, boundary),
               "a start inside the boundary");
  }
}

}  // namespace vinci::feature_map
