// Drawing the feature map.
#include "cli/draw/feature_map.h"

#include <algorithm>

#include <fmt/format.h>

namespace vinci::cli {
namespace {

constexpr int64_t kMostDrawn = 14;  // lines and columns of a map that is drawn as a whole
constexpr int64_t kPartDrawn = 10;  // and of a larger one
constexpr size_t kMostPlanes = 3;
constexpr int kPixelHeight = 27;
constexpr int kAboveMap = 20;  // column numbers
constexpr int kBelowMap = 36;  // name

}  // namespace

FeatureMapView::FeatureMapView(const Load3DOptions& load, const LoadLayout& layout, int64_t c0,
                               const std::vector<Followed>& followed,
                               const std::map<Pixel, std::set<const Colour*>>& taps,
                               std::vector<int64_t> planes)
    : load_(load),
      layout_(layout),
      c0_(c0),
      followed_(followed),
      taps_(taps),
      planes_(std::move(planes)) {
  cut_ = planes_.size() > kMostPlanes;
  if (cut_) planes_.resize(kMostPlanes);
  limit();
}

// What is drawn of map and pads; of a large map the part where the first window stands.
void FeatureMapView::limit() {
  begin_ = {0, -load_.pad[2], -load_.pad[0]};
  end_ = {0, load_.l1_h + load_.pad[3], load_.l1_w + load_.pad[1]};
  Pixel first{0, INT64_MAX, INT64_MAX};
  for (const Followed& line : followed_) {
    const Pixel window = layout_.window(line.m);
    first.y = std::min(first.y, window.y);
    first.x = std::min(first.x, window.x);
  }
  const auto limit_axis = [this](int64_t& begin, int64_t& end, int64_t wanted) {
    begin = std::min(begin, wanted);
    if (end - begin <= kMostDrawn) return;
    begin = std::clamp(wanted, begin, end - kPartDrawn);
    end = begin + kPartDrawn;
    cut_ = true;
  };
  limit_axis(begin_.y, end_.y, first.y);
  limit_axis(begin_.x, end_.x, first.x);
  const int64_t last_line = std::clamp<int64_t>(end_.y, 1, load_.l1_h) - 1;
  const int64_t last =
      layout_.matrix().element_of({planes_.back(), last_line, load_.l1_w - 1}) + c0_ - 1;
  digits_ = int(fmt::to_string(last).size());
}

void FeatureMapView::place(int x, int y) {
  x_ = x;
  y_ = y;
}

int FeatureMapView::pixel_width() const { return std::max(digits_ * 7 + 22, 42); }

int FeatureMapView::pixel_y(int64_t plane, int64_t y) const {
  const auto place = std::ranges::find(planes_, plane) - planes_.begin();
  const int height = int(end_.y - begin_.y) * kPixelHeight;
  return y_ + kAboveMap + int(place) * (height + kAboveMap + kBelowMap) +
         int(y - begin_.y) * kPixelHeight;
}

bool FeatureMapView::inside(const Pixel& pixel) const {
  return pixel.y >= 0 && pixel.y < load_.l1_h && pixel.x >= 0 && pixel.x < load_.l1_w;
}

bool FeatureMapView::drawn(const Pixel& pixel) const {
  return std::ranges::find(planes_, pixel.plane) != planes_.end() && pixel.y >= begin_.y &&
         pixel.y < end_.y && pixel.x >= begin_.x && pixel.x < end_.x;
}

std::string FeatureMapView::name_of_plane(int64_t plane) const {
  const int64_t rest = layout_.matrix().rest_channels();
  if (rest != 0 && plane == load_.channels / c0_) {
    return fmt::format("channels {} to {}, {} to a pixel", plane * c0_, plane * c0_ + rest - 1,
                       rest);
  }
  return fmt::format("c1 = {}: {} channels of each pixel", plane, c0_);
}

void FeatureMapView::draw_areas(Svg& svg) const {
  for_each_pixel([&](const Pixel& pixel) {
    const int x = pixel_x(pixel.x), y = pixel_y(pixel.plane, pixel.y);
    const auto taps = taps_.find(pixel);
    const std::string_view fill = taps != taps_.end() ? (*taps->second.begin())->middle
                                  : inside(pixel)     ? "#ffffff"
                                                      : kPadFill;
    svg.rect(x, y, pixel_width(), kPixelHeight,
             fmt::format("fill=\"{}\" stroke=\"{}\"", fill,
                         inside(pixel) ? "#8a96a3" : "#c3cbd4\" stroke-dasharray=\"3,3"));
    if (taps == taps_.end() || taps->second.size() == 1) return;
    svg.path(fmt::format("M{0},{1} L{0},{2} L{3},{2} z", x + pixel_width(), y, y + kPixelHeight, x),
             fmt::format("fill=\"{}\"", (*taps->second.rbegin())->middle));
  });
}

void FeatureMapView::draw_numbers(Svg& svg) const {
  for_each_pixel([&](const Pixel& pixel) {
    svg.text(pixel_x(pixel.x) + pixel_width() / 2, pixel_y(pixel.plane, pixel.y) + 18,
             inside(pixel) || taps_.contains(pixel) ? "cell" : "cell faint",
             inside(pixel) ? fmt::to_string(layout_.matrix().element_of(pixel)) : "pad",
             fmt::format("data-side=\"map\" data-c1=\"{}\" data-y=\"{}\" data-x=\"{}\"",
                         pixel.plane, pixel.y, pixel.x));
  });
  for (const int64_t plane : planes_) {
    draw_windows(svg, plane);
    for (int64_t y = begin_.y; y < end_.y; ++y) {
      svg.text(x_ - 6, pixel_y(plane, y) + 18, "axis-end", fmt::to_string(y));
    }
    for (int64_t x = begin_.x; x < end_.x; ++x) {
      svg.text(pixel_x(x) + pixel_width() / 2, pixel_y(plane, begin_.y) - 6, "axis halo",
               fmt::to_string(x));
    }
    svg.text(x_, pixel_y(plane, end_.y) + 20, "note halo", name_of_plane(plane));
  }
}

void FeatureMapView::draw_windows(Svg& svg, int64_t plane) const {
  int inset = 2;
  for (const Followed& line : followed_) {
    const Pixel corner = layout_.window(line.m);
    const int64_t wide = (layout_.matrix().filter_w() - 1) * int64_t(load_.dilation_w) + 1;
    const int64_t high = (layout_.matrix().filter_h() - 1) * int64_t(load_.dilation_h) + 1;
    const int64_t right = std::min(corner.x + wide, end_.x);
    const int64_t bottom = std::min(corner.y + high, end_.y);
    if (corner.y < begin_.y || corner.x < begin_.x || bottom <= corner.y || right <= corner.x) {
      continue;
    }
    const int x = pixel_x(corner.x) + inset, y = pixel_y(plane, corner.y) + inset;
    svg.rect(x, y, pixel_x(right) - inset - x, pixel_y(plane, bottom) - inset - y,
             fmt::format("rx=\"4\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.4\" "
                         "data-window=\"{}\"",
                         line.shades->strong, line.m));
    inset = inset == 2 ? -2 : 2;
  }
}

}  // namespace vinci::cli
