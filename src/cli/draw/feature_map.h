// The feature map of a 3D load in a picture: its pixels with the pads around, and the windows of
// the rows that are followed.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/draw/matrix.h"

namespace vinci::cli {

// A row of the matrix that is followed from the map to the fractals.
struct Followed {
  int64_t m;
  const Colour* shades;
};

class FeatureMapView {
 public:
  // `taps` says which pixels and pads the followed rows take; `planes` are the blocks of channels
  // to draw, `bottom` rows of them left out if there are too many. All but `svg` must outlive it.
  FeatureMapView(const Load3DOptions& load, const LoadLayout& layout, int64_t c0,
                 const std::vector<Followed>& followed,
                 const std::map<Pixel, std::set<const Colour*>>& taps, std::vector<int64_t> planes);

  void place(int x, int y);  // the top left corner of the first title
  void draw_areas(Svg& svg) const;
  void draw_numbers(Svg& svg) const;  // and windows, above what has been drawn meanwhile

  int width() const { return int(end_.x - begin_.x) * pixel_width(); }
  int left() const { return x_; }
  int bottom() const { return pixel_y(planes_.back(), end_.y) + 24; }
  bool drawn(const Pixel& pixel) const;
  bool complete() const { return !cut_; }
  int digits() const { return digits_; }  // of the largest number in the map
  int pixel_x(int64_t x) const { return x_ + int(x - begin_.x) * pixel_width(); }
  int pixel_y(int64_t plane, int64_t y) const;
  int pixel_width() const;

 private:
  template <class F>
  void for_each_pixel(F use) const {
    for (const int64_t plane : planes_) {
      for (int64_t y = begin_.y; y < end_.y; ++y) {
        for (int64_t x = begin_.x; x < end_.x; ++x) use(Pixel{plane, y, x});
      }
    }
  }
  bool inside(const Pixel& pixel) const;
  void limit();
  std::string name_of_plane(int64_t plane) const;
  void draw_windows(Svg& svg, int64_t plane) const;

  const Load3DOptions& load_;
  const LoadLayout& layout_;
  const int64_t c0_;
  const std::vector<Followed>& followed_;
  const std::map<Pixel, std::set<const Colour*>>& taps_;
  std::vector<int64_t> planes_;
  Pixel begin_{}, end_{};  // of what is drawn of each plane
  bool cut_ = false;
  int digits_ = 1;
  int x_ = 0, y_ = 0;
};

}  // namespace vinci::cli
