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

namespace vinci::feature_map {

// Where a window stands: its corner in pixels of the map, negative inside the pads.
struct Window {
  int64_t y, x;
  int64_t left;  // positions from here to the end of the line
};

// How windows follow each other: along a line, then to the start of the next.
class Windows {
 public:
  template <class R>
  Windows(const R& record, const FeatureMap& map)
      : h_(map.h),
        w_(map.w),
        first_x_(-int64_t(map.pad[0])),
        first_y_(-int64_t(map.pad[2])),
        last_x_(w_ + map.pad[1] - reach(record.filter_w, record.dilation_w)),
        stride_x_(record.stride_w),
        stride_y_(record.stride_h),
        // At least 1, so that a walk ends even where no window fits.
        per_line_(std::max<int64_t>(1, positions(w_ + map.pad[0] + map.pad[1], record.filter_w,
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
  Window at(int64_t m) const {
    const int64_t behind = m % per_line_;
    return {m / per_line_ * stride_y_ + first_y_, behind * stride_x_ + first_x_,
            per_line_ - behind};
  }
  // With its corner anywhere; at least one position is left in the line.
  Window from(int64_t y, int64_t x) const {
    return {y, x, x > last_x_ ? 1 : (last_x_ - x) / stride_x_ + 1};
  }

  // Calls run(row, count, pixel) for the windows of `rows` rows from `window` on: rows row ..
  // row + count - 1 see the pixels pixel, pixel + stride(), ... (numbers in the map) at the filter
  // point (dy, dx) from the corner, or the pad value, pixel being -1. Returns the window after
  // them.
  template <class F>
  Window for_each_run(Window window, int64_t rows, int64_t dy, int64_t dx, F run) const {
    for (int64_t row = 0; row < rows;) {
      const int64_t count = std::min(window.left, rows - row);
      const int64_t y = window.y + dy, x = window.x + dx;
      const bool line_inside = y >= 0 && y < h_;
      // [begin, end): the positions inside the line.
      int64_t begin = 0, end = line_inside ? count : 0;
      if (x < 0) begin = std::min(end, (stride_x_ - 1 - x) / stride_x_);
      if (x + (end - 1) * stride_x_ >= w_) {
        end = x >= w_ ? begin : std::max(begin, (w_ - 1 - x) / stride_x_ + 1);
      }
      if (begin > 0) run(row, begin, -1);
      if (end > begin) run(row + begin, end - begin, y * w_ + x + begin * stride_x_);
      if (count > end) run(row + end, count - end, -1);
      row += count;
      window.x += count * stride_x_;
      window.left -= count;
      if (window.left == 0) window = {window.y + stride_y_, first_x_, per_line_};
    }
    return window;
  }

  int64_t stride() const { return stride_x_; }

 private:
  int64_t h_, w_;
  int64_t first_x_, first_y_;  // of the corner of number 0
  int64_t last_x_;             // where a corner may be at most
  int64_t stride_x_, stride_y_;
  int64_t per_line_;
};

// A point of the filter, for some channels of the map.
struct Point {
  int64_t dy, dx;      // pixels from the window's corner
  uint64_t start;      // byte where these channels of pixel 0 lie, from the start of the source
  unsigned bytes;      // these channels of one pixel, and from one pixel to the next
  unsigned place = 0;  // byte in a row of 32 bytes
};

// Where a 3D load reads, and what it pads with. With a boundary, L1 is a ring of so many bytes.
class Reader {
 public:
  Reader(const Operand& src, Core& core, uint64_t boundary)
      : l1_(core.data(src) - src.address),
        start_(src.address),
        boundary_(boundary),
        padding_(core.registers().padding) {}

  // Rows of 32 bytes from `out` on: the point's channels under each window, the rest of the row as
  // it was. Returns the window after them.
  Window read(const Windows& windows, Window window, int64_t rows, const Point& point,
              uint8_t* out) const {
    out += point.place;
    return windows.for_each_run(
        window, rows, point.dy, point.dx, [&](int64_t row, int64_t count, int64_t pixel) {
          uint8_t* to = out + row * int64_t(kRowBytes);
          if (pixel < 0) return copy(to, padding_.bytes, count, 0, point.bytes);
          const uint64_t from = start_ + point.start + uint64_t(pixel) * point.bytes;
          const uint64_t step = uint64_t(windows.stride()) * point.bytes;
          if (boundary_ == 0) return copy(to, l1_ + from, count, step, point.bytes);
          for (int64_t i = 0; i < count; ++i) {
            copy_from_ring(to + i * int64_t(kRowBytes), from + uint64_t(i) * step, point.bytes);
          }
        });
  }

 private:
  static constexpr auto kRowBytes = fractal::kRowBytes;

  static void copy(uint8_t* to, const uint8_t* from, int64_t count, uint64_t step, unsigned bytes) {
    for (; count > 0; --count, to += kRowBytes, from += step) {
      if (bytes == kRowBytes) {
        std::memcpy(to, from, kRowBytes);
      } else {
        std::memcpy(to, from, bytes);
      }
    }
  }
  void copy_from_ring(uint8_t* to, uint64_t address, uint64_t bytes) const {
    const uint64_t from = address % boundary_;
    const uint64_t before = std::min(bytes, boundary_ - from);
    std::memcpy(to, l1_ + from, before);
    std::memcpy(to + before, l1_, bytes - before);
  }

  const uint8_t* l1_;
  uint64_t start_;
  uint64_t boundary_;  // 0: none
  PadRow padding_;
};

// The bytes of the source between the lowest and the highest that are read.
class Hull {
 public:
  // Returns the window after `rows` rows.
  Window add(const Windows& windows, Window window, int64_t rows, const Point& point) {
    return windows.for_each_run(
        window, rows, point.dy, point.dx, [&](int64_t, int64_t count, int64_t pixel) {
          if (pixel < 0) return;
          const int64_t last = pixel + (count - 1) * windows.stride();
          first_ = std::min(first_, point.start + uint64_t(pixel) * point.bytes);
          end_ = std::max(end_, point.start + uint64_t(last + 1) * point.bytes);
        });
  }

  // What lies beyond the boundary is read from the start of L1, whatever tensor that belongs to.
  void add_to(Footprint& footprint, const Operand& src, uint64_t boundary) const {
    if (end_ == 0) return;
    if (boundary == 0 || src.address + end_ <= boundary) {
      footprint.add_bytes(src, "srcLocal", Access::kRead, first_, end_ - first_);
      return;
    }
    const uint64_t bytes = std::min(end_ - first_, boundary);
    const uint64_t from = bytes == boundary ? 0 : (src.address + first_) % boundary;
    const uint64_t before = std::min(bytes, boundary - from);
    add_piece(footprint, src, from, before);
    add_piece(footprint, src, 0, bytes - before);
  }

 private:
  static void add_piece(Footprint& footprint, const Operand& src, uint64_t address,
                        uint64_t bytes) {
    footprint.add({&src, "srcLocal", Access::kRead, false, address, bytes, 1, 0, 1, 0});
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
