// Image to column on paper: which window and filter point belong to an element of the matrix, and
// where a 3D load puts it. By the formulas of docs/spec/load_data_3d_v1.md and load_data_3d_v2.md;
// used for names and places in the picture, while the numbers come from the run.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/draw/draw.h"

namespace vinci::cli {

// A pixel, or a place on the pads around the map. `plane` is a block of C0 channels, or the rest
// of the channels behind these.
struct Pixel {
  int64_t plane, y, x;

  friend auto operator<=>(const Pixel&, const Pixel&) = default;
};

// The matrix that a convolution multiplies. If the options make no sense its sizes may be 0.
class ImageMatrix {
 public:
  ImageMatrix(const Load3DOptions& load, int channels, int c0);

  int filter_w() const { return filter_w_; }
  int filter_h() const { return filter_h_; }
  int64_t rows() const { return ho_ * wo_; }
  int64_t width() const { return width_; }  // up to the end of the last fractal
  int64_t rest_channels() const { return rest_; }

  // The top left corner of the window of a row; of its plane 0.
  Pixel window(int64_t row) const;
  // The filter points under a column block of C0 elements, as places in a window.
  std::vector<Pixel> points(int64_t block) const;
  // The pixel of a source element, and the first element of a pixel.
  Pixel pixel_of(int64_t element) const;
  int64_t element_of(const Pixel& pixel) const;

 private:
  const Load3DOptions& load_;
  int64_t c0_;
  int filter_w_, filter_h_;
  int64_t wo_, ho_;      // windows along the map
  int64_t full_, rest_;  // whole blocks of channels, and channels behind them
  int64_t width_;
};

// How the fractals of the destination stand in the picture, and what their elements are.
class LoadLayout {
 public:
  LoadLayout(const DrawOptions& options, const Movement& movement);

  const ImageMatrix& matrix() const { return matrix_; }
  bool v1() const { return v1_; }
  bool transposed() const { return transposed_; }  // runs of 32 bytes go along m
  int64_t grid_rows() const { return grid_rows_; }
  int64_t grid_columns() const { return grid_columns_; }
  // In the destination, in units of 512 bytes.
  int64_t fractal(int64_t grid_row, int64_t grid_column) const;
  // The row and the column of the matrix at the first element of a fractal.
  int64_t first_m(int64_t grid_row, int64_t grid_column) const;
  int64_t first_k(int64_t grid_row, int64_t grid_column) const;
  // Column blocks of C0 elements that a fractal holds.
  std::vector<int64_t> blocks(int64_t grid_row, int64_t grid_column) const;
  // The window of row m, and the filter points of a column block.
  Pixel window(int64_t m) const;
  std::vector<Pixel> points(int64_t block) const;

 private:
  const Load3DOptions& load_;
  bool v1_, to_b2_, transposed_;
  int64_t c0_;
  ImageMatrix matrix_;
  int64_t grid_rows_, grid_columns_;
};

}  // namespace vinci::cli
