// Windows, filter points and fractals of the 3D loads.
#include "cli/draw/matrix.h"

#include <algorithm>

namespace vinci::cli {
namespace {

// Windows along one axis.
int64_t steps(int64_t padded, int64_t filter, int64_t dilation, int64_t stride) {
  const int64_t room = padded - (filter - 1) * dilation - 1;
  return room < 0 || stride == 0 ? 0 : room / stride + 1;
}

int64_t ceil_div(int64_t value, int64_t unit) { return (value + unit - 1) / unit; }

}  // namespace

ImageMatrix::ImageMatrix(const Load3DOptions& load, int channels, int c0) : load_(load), c0_(c0) {
  filter_w_ = load.filter_w + 256 * load.filter_size_w;
  filter_h_ = load.filter_h + 256 * load.filter_size_h;
  wo_ = steps(load.l1_w + load.pad[0] + load.pad[1], filter_w_, load.dilation_w, load.stride_w);
  ho_ = steps(load.l1_h + load.pad[2] + load.pad[3], filter_h_, load.dilation_h, load.stride_h);
  full_ = channels / c0_;
  rest_ = channels % c0_;
  const int64_t number_of_points = int64_t(filter_w_) * filter_h_;
  width_ = (full_ * number_of_points + ceil_div(number_of_points * rest_, c0_)) * c0_;
}

Pixel ImageMatrix::window(int64_t row) const {
  return {0, row / wo_ * load_.stride_h - load_.pad[2], row % wo_ * load_.stride_w - load_.pad[0]};
}

std::vector<Pixel> ImageMatrix::points(int64_t block) const {
  const int64_t number_of_points = int64_t(filter_w_) * filter_h_;
  const auto place = [&](int64_t plane, int64_t point) {
    return Pixel{plane, point / filter_w_ * load_.dilation_h, point % filter_w_ * load_.dilation_w};
  };
  if (block < full_ * number_of_points) {
    return {place(block / number_of_points, block % number_of_points)};
  }
  std::vector<Pixel> list;
  const int64_t per_block = c0_ / rest_;
  const int64_t first = (block - full_ * number_of_points) * per_block;
  for (int64_t i = first; i < std::min(first + per_block, number_of_points); ++i) {
    list.push_back(place(full_, i));
  }
  return list;
}

Pixel ImageMatrix::pixel_of(int64_t element) const {
  const int64_t pixels = int64_t(load_.l1_h) * load_.l1_w;
  int64_t plane = element / (pixels * c0_), pixel = element % (pixels * c0_) / c0_;
  if (rest_ != 0 && plane >= full_) {
    plane = full_;
    pixel = (element - full_ * pixels * c0_) / rest_;
  }
  return {plane, pixel / load_.l1_w, pixel % load_.l1_w};
}

int64_t ImageMatrix::element_of(const Pixel& pixel) const {
  const int64_t pixels = int64_t(load_.l1_h) * load_.l1_w;
  const bool in_rest = rest_ != 0 && pixel.plane >= full_;
  return pixel.plane * pixels * c0_ + (pixel.y * load_.l1_w + pixel.x) * (in_rest ? rest_ : c0_);
}

// 3Dv1 knows no channelSize: any of 4096 blocks of C0 channels may be named.
LoadLayout::LoadLayout(const DrawOptions& options, const Movement& movement)
    : load_(options.load_3d),
      v1_(options.what == "load_data_3d_v1"),
      to_b2_(movement.dst.position == Position::B2),
      c0_(movement.row_elements()),
      matrix_(load_, v1_ ? int(4096 * c0_) : load_.channels, int(c0_)) {
  transposed_ = to_b2_ || (!v1_ && load_.transpose);
  if (v1_) {
    grid_rows_ = load_.repeat_mode == 1 ? load_.repeats : load_.repeats > 0;
    grid_columns_ = load_.repeat_mode == 1 ? load_.repeats > 0 : load_.repeats;
    return;
  }
  const int64_t m = load_.m_extension, k = load_.k_extension;
  if (to_b2_) {
    grid_rows_ = ceil_div(m, c0_);
    grid_columns_ = ceil_div(k, 16);
  } else if (transposed_) {
    grid_rows_ = ceil_div(k, 16);
    grid_columns_ = ceil_div(m, 16) * (16 / c0_);
  } else {
    grid_rows_ = ceil_div(m, 16);
    grid_columns_ = ceil_div(k, c0_);
  }
}

int64_t LoadLayout::fractal(int64_t grid_row, int64_t grid_column) const {
  if (!v1_) return grid_row * grid_columns_ + grid_column;
  return load_.repeat_mode == 1 ? grid_row * load_.jump_stride : grid_column;
}

int64_t LoadLayout::first_m(int64_t grid_row, int64_t grid_column) const {
  if (v1_) return 16 * grid_row;
  if (!transposed_) return load_.m_start + 16 * grid_row;
  return load_.m_start + c0_ * (to_b2_ ? grid_row : grid_column);
}

int64_t LoadLayout::first_k(int64_t grid_row, int64_t grid_column) const {
  if (v1_) return c0_ * grid_column;
  if (!transposed_) return load_.k_start + c0_ * grid_column;
  return load_.k_start + 16 * (to_b2_ ? grid_column : grid_row);
}

std::vector<int64_t> LoadLayout::blocks(int64_t grid_row, int64_t grid_column) const {
  const int64_t first = first_k(grid_row, grid_column);
  const int64_t wide = transposed_ && !v1_ ? 16 : c0_;
  std::vector<int64_t> list;
  for (int64_t k = first; k < first + wide && (v1_ || k < matrix_.width()); k += c0_) {
    list.push_back(k / c0_);
  }
  return list;
}

Pixel LoadLayout::window(int64_t m) const {
  if (!v1_) return matrix_.window(m);
  const int64_t last = load_.l1_w + load_.pad[1] - (matrix_.filter_w() - 1) * load_.dilation_w - 1;
  Pixel at{0, load_.left_top_h, load_.left_top_w};
  for (int64_t i = 0; i < m; ++i) {
    at.x += load_.stride_w;
    if (at.x > last) at = {0, at.y + load_.stride_h, -int64_t(load_.pad[0])};
  }
  return at;
}

std::vector<Pixel> LoadLayout::points(int64_t block) const {
  if (!v1_) return matrix_.points(block);
  const int64_t per_plane = int64_t(matrix_.filter_w()) * matrix_.filter_h();
  const int64_t point =
      load_.fetch_filter_h * int64_t(matrix_.filter_w()) + load_.fetch_filter_w + block;
  return {{load_.c1_index + point / per_plane,
           point % per_plane / matrix_.filter_w() * load_.dilation_h,
           point % matrix_.filter_w() * load_.dilation_w}};
}

}  // namespace vinci::cli
