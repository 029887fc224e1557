// Image to column: the walk of a filter's window over a feature map in L1, and the rows of 32 bytes
// that it sees at one point of the filter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "core/core.h"
#include "isa/family/feature_map.h"
#include "isa/family/fractal.h"
#include "isa/family/transpose.h"

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
  Reader(const Windows& windows, const Operand& src, Core& core, uint64_t boundary)
      : windows_(windows),
        l1_(core.data(src) - src.address),
        start_(src.address),
        boundary_(boundary),
        padding_(core.registers().padding) {}

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

  // The same turned: each square of 32 / sizeof(T) rows is transposed. Squares are `pitch` bytes
  // apart. For a column of one point.
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
    uint8_t square[fractal::kBytes] = {}, turned[fractal::kBytes];
    for (int32_t row = 0; row < rows; row += kSide, out += pitch) {
      read(window, kSide, column, square, fractal::kBytes);
      window = windows_.after(window, kSide);
      fractal::transpose_square<T>(square, turned);
      std::memcpy(out, turned, columns * kRowBytes);
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

// The bytes of the source between the lowest and the highest that are read.
class Hull {
 public:
  void add(const Windows& windows, const Window& window, int32_t rows, const Column& column) {
    for (unsigned p = 0; p < column.count; ++p) {
      const Point& point = column.points[p];
      windows.walk(
          window, rows, point.dy, point.dx,
          [&](int32_t, int32_t count, int32_t pixel) {
            const int32_t last = pixel + (count - 1) * windows.stride();
            first_ = std::min(first_, point.start + uint64_t(pixel) * point.bytes);
            end_ = std::max(end_, point.start + uint64_t(last + 1) * point.bytes);
          },
          [](int32_t, int32_t) {});
    }
  }

  // What lies beyond the boundary is read from the start of L1, whatever tensor that belongs to.
  void add_to(Footprint& footprint, const Operand& src, uint64_t boundary,
              decltype(Region::reach) reach) const {
    if (end_ == 0) return;
    if (boundary == 0 || src.address + end_ <= boundary) {
      footprint.add_bytes(src, "srcLocal", Access::kRead, first_, end_ - first_, reach);
      return;
    }
    const uint64_t bytes = std::min(end_ - first_, boundary);
    const uint64_t from = bytes == boundary ? 0 : (src.address + first_) % boundary;
    const uint64_t before = std::min(bytes, boundary - from);
    add_piece(footprint, src, from, before, reach);
    add_piece(footprint, src, 0, bytes - before, reach);
  }

 private:
  static void add_piece(Footprint& footprint, const Operand& src, uint64_t address, uint64_t bytes,
                        decltype(Region::reach) reach) {
    footprint.add({&src, "srcLocal", Access::kRead, false, address, bytes, 1, 0, 1, 0, reach});
  }

  uint64_t first_ = UINT64_MAX, end_ = 0;
};

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
