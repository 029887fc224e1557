// The pictures of the 3D loads: the feature map at the left, with the windows of some rows; the
// fractals at the right.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/draw/draw.h"
#include "cli/draw/feature_map.h"
#include "cli/draw/matrix.h"
#include "cli/draw/trace.h"
#include "numeric/dtype.h"

namespace vinci::cli {
namespace {

constexpr int64_t kMostColumns = 4;  // fractals side by side

// A fractal in the picture.
struct DrawnFractal {
  int64_t grid_row, grid_column;
  int x, y;
};

// From a pixel or pad to a fractal, for one of the followed rows.
struct Arrow {
  size_t row, drawn;
  Pixel from;
};

class MapPicture {
 public:
  MapPicture(const DrawOptions& options, const Movement& movement, Picture picture)
      : options_(options),
        load_(options.load_3d),
        movement_(movement),
        layout_(options, movement),
        picture_(std::move(picture)) {
    choose_fractals();
    choose_rows();
    choose_pixels();
    choose_arrows();
  }

  std::string draw() {
    const int lanes = int(arrows_.size()) * kLane;
    map_->place(kMargin + 22, picture_.top() + 30 + lanes);
    picture_.svg().text(kMargin, picture_.top() + 8, "section",
                        fmt::format("Feature map in L1 ({})", name_of(movement_.src.position)));
    place_fractals(picture_.top() + 46 + lanes);
    map_->draw_areas(picture_.svg());
    draw_arrows();
    map_->draw_numbers(picture_.svg());
    draw_fractals();
    if (!layout_.v1()) picture_.reach(0, draw_matrix(map_->bottom() + 40));
    picture_.reach(0, map_->bottom());
    return finish();
  }

 private:
  static constexpr int kMatrixWidth = 330;  // with its measures
  static constexpr int kLane = 7;           // from one arrow to the next

  int64_t c0() const { return movement_.row_elements(); }
  int64_t origin(int64_t fractal, int64_t row, int64_t column) const {
    return movement_.from[size_t((fractal * 16 + row) * c0() + column)];
  }
  // Row m of the matrix at an element of a fractal, and its column.
  int64_t m_of(const DrawnFractal& drawn, int row, int column) const {
    return layout_.first_m(drawn.grid_row, drawn.grid_column) +
           (layout_.transposed() ? column : row);
  }
  int64_t k_of(const DrawnFractal& drawn, int row, int column) const {
    return layout_.first_k(drawn.grid_row, drawn.grid_column) +
           (layout_.transposed() ? row : column);
  }

  void choose_fractals() {
    const int64_t most = options_.most_or(8);
    const int64_t columns = std::min({layout_.grid_columns(), kMostColumns, most});
    int64_t rows = std::max<int64_t>(most / std::max<int64_t>(columns, 1), 1);
    if (options_.most == kNotGiven) rows = std::min<int64_t>(rows, columns == 1 ? 3 : 2);
    rows = std::min(rows, layout_.grid_rows());
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < columns; ++c) drawn_.push_back({r, c, 0, 0});
    }
  }

  // The first two rows; where repeats walk through the map, the first row of each.
  void choose_rows() {
    std::set<int64_t> rows;
    const bool walks = layout_.v1() && load_.repeat_mode == 1;
    for (const DrawnFractal& drawn : drawn_) {
      const int64_t first = layout_.first_m(drawn.grid_row, drawn.grid_column);
      if (walks && rows.size() < 3) rows.insert(first);
    }
    if (!walks) {
      const int64_t first = layout_.first_m(0, 0);
      rows = {first, first + 1};
    }
    for (const int64_t m : rows) followed_.push_back({m, &colour(int64_t(followed_.size()))});
  }

  // Which pixels the followed rows take, by what the run says, and by the filter where it says pad.
  void choose_pixels() {
    std::set<int64_t> planes;
    for (const DrawnFractal& drawn : drawn_) {
      const int64_t fractal = layout_.fractal(drawn.grid_row, drawn.grid_column);
      for (int row = 0; row < 16; ++row) {
        for (int column = 0; column < c0(); ++column) {
          const int64_t element = origin(fractal, row, column);
          untouched_ |= element == kUntouched;
          padded_ |= element == kPad;
          if (element < 0) continue;
          const Pixel pixel = layout_.matrix().pixel_of(element);
          planes.insert(pixel.plane);
          for (const Followed& line : followed_) {
            if (m_of(drawn, row, column) == line.m) taps_[pixel].insert(line.shades);
          }
        }
      }
      for (const Followed& line : followed_) {
        for (const Pixel& tap : taps_of(drawn, line.m)) {
          if (!inside(tap)) taps_[tap].insert(line.shades);
        }
      }
    }
    if (planes.empty()) planes.insert(layout_.v1() ? load_.c1_index : 0);
    planes_ = planes.size();
    map_.emplace(load_, layout_, c0(), followed_, taps_,
                 std::vector<int64_t>(planes.begin(), planes.end()));
  }

  bool inside(const Pixel& pixel) const {
    return pixel.y >= 0 && pixel.y < load_.l1_h && pixel.x >= 0 && pixel.x < load_.l1_w;
  }

  // The places under the filter's points that a fractal holds, for row m; none if it has no row m.
  std::vector<Pixel> taps_of(const DrawnFractal& drawn, int64_t m) const {
    const int64_t first = layout_.first_m(drawn.grid_row, drawn.grid_column);
    const int64_t rows = layout_.transposed() ? c0() : 16;
    std::vector<Pixel> taps;
    if (m < first || m >= first + rows) return taps;
    const Pixel corner = layout_.window(m);
    for (const Pixel& point : points_of(drawn)) {
      taps.push_back({point.plane, corner.y + point.y, corner.x + point.x});
    }
    return taps;
  }

  // The filter's points that a fractal holds.
  std::vector<Pixel> points_of(const DrawnFractal& drawn) const {
    std::vector<Pixel> points;
    for (const int64_t block : layout_.blocks(drawn.grid_row, drawn.grid_column)) {
      for (const Pixel& point : layout_.points(block)) points.push_back(point);
    }
    return points;
  }

  // The block in the whole matrix. Returns its bottom.
  int draw_matrix(int y) {
    Svg& svg = picture_.svg();
    const ImageMatrix& matrix = layout_.matrix();
    svg.text(
        kMargin, y, "section",
        fmt::format("The matrix: {} rows (windows), {} columns", matrix.rows(), matrix.width()));
    const int left = kMargin + 104, top = y + 62, wide = kMatrixWidth - 104, high = 120;
    const int64_t rows = std::max<int64_t>(matrix.rows(), load_.m_start + load_.m_extension);
    const auto at_x = [&](int64_t k) { return left + int(k * wide / matrix.width()); };
    const auto at_y = [&](int64_t m) { return top + int(m * high / rows); };
    svg.rect(left, top, wide, high, "fill=\"#ffffff\" stroke=\"#5b6875\"");
    const int64_t k_end = std::min(matrix.width(), int64_t(load_.k_start) + load_.k_extension);
    const int64_t m_end = load_.m_start + load_.m_extension;
    svg.rect(at_x(load_.k_start), at_y(load_.m_start), at_x(k_end) - at_x(load_.k_start),
             at_y(m_end) - at_y(load_.m_start),
             fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"", colour(4).pale,
                         colour(4).strong));
    const std::string faint = "stroke=\"#c3cbd4\" stroke-width=\"1\"";
    for (int64_t k = c0(); k < matrix.width() && matrix.width() / c0() <= 40; k += c0()) {
      svg.line(at_x(k), top, at_x(k), top + high, faint);
    }
    for (int64_t m = 16; m < rows && rows <= 16 * 24; m += 16) {
      svg.line(left, at_y(m), left + wide, at_y(m), faint);
    }
    if (load_.k_start > 0) {
      measure_across(svg, left, at_x(load_.k_start), top - 34,
                     fmt::format("kStartPt {}", load_.k_start));
    }
    measure_across(svg, at_x(load_.k_start), at_x(k_end), top - 10,
                   fmt::format("kExtension {}", load_.k_extension));
    if (load_.m_start > 0) {
      measure_down(svg, left - 10, top, at_y(load_.m_start),
                   fmt::format("mStartPt {}", load_.m_start), true);
    }
    measure_down(svg, left - 10, at_y(load_.m_start), at_y(m_end),
                 fmt::format("mExtension {}", load_.m_extension), true);
    return top + high;
  }

  Grid grid(const DrawnFractal& drawn) const {
    const int64_t fractal = layout_.fractal(drawn.grid_row, drawn.grid_column);
    Grid grid;
    grid.side = "destination";
    grid.fractal = fractal;
    grid.head = fmt::format("fractal {}", fractal);
    grid.note = fmt::format("byte {}", fractal * 512);
    grid.row_name = layout_.transposed() ? "k" : "m";
    grid.column_name = layout_.transposed() ? "m" : "k";
    const bool one_row = drawn_.back().grid_row == 0;
    grid.rows = excerpt(16, options_.excerpt_or(one_row ? 0 : 8));
    const int64_t rest = layout_.matrix().rest_channels();
    const auto points = points_of(drawn);
    if (!layout_.transposed() && rest != 0 && points.front().plane == load_.channels / c0() &&
        options_.excerpt == kNotGiven) {
      for (int64_t c = 0; c < c0(); c += rest) grid.columns.push_back(int(c));
      grid.columns.push_back(kEllipsis);
    } else {
      grid.columns = excerpt(int(c0()), options_.excerpt_or(4));
    }
    grid.digits = map_->digits();
    grid.row_label = [this, drawn](int row) {
      return fmt::to_string(layout_.transposed() ? k_of(drawn, row, 0) : m_of(drawn, row, 0));
    };
    grid.column_label = [this, drawn](int column) {
      return fmt::to_string(layout_.transposed() ? m_of(drawn, 0, column) : k_of(drawn, 0, column));
    };
    grid.cell = [this, drawn, fractal](int row, int column) {
      const int64_t element = origin(fractal, row, column);
      if (element == kUntouched) return Cell{"–", kHatch};
      Cell cell{element == kPad ? "pad" : fmt::to_string(element),
                element == kPad ? kPadFill : std::string_view("#ffffff")};
      for (const Followed& line : followed_) {
        if (m_of(drawn, row, column) == line.m) cell.fill = line.shades->middle;
      }
      return cell;
    };
    return grid;
  }

  void place_fractals(int y) {
    const int matrix = layout_.v1() ? 0 : kMargin + kMatrixWidth;
    const int left =
        std::max(map_->left() + map_->width(), matrix) + 50 + int(arrows_.size()) * kLane;
    for (size_t i = 0; i < drawn_.size();) {
      int x = left, height = 0;
      const int64_t row = drawn_[i].grid_row;
      for (; i < drawn_.size() && drawn_[i].grid_row == row; ++i) {
        drawn_[i].x = x;
        drawn_[i].y = y;
        x += grid(drawn_[i]).width() + 22;
        height = grid(drawn_[i]).height();
      }
      picture_.reach(x - 22, y + height);
      y += height + 34 + (gap_after(row) > 0 ? 30 : 0);
    }
  }

  // Untouched fractals behind a row of fractals.
  int64_t gap_after(int64_t row) const {
    if (!layout_.v1() || load_.repeat_mode == 0 || row + 1 >= layout_.grid_rows()) return 0;
    return layout_.fractal(row + 1, 0) - layout_.fractal(row, 0) - 1;
  }

  // "kh 0, kw 1": what the columns of a fractal are.
  std::string name_of_points(const DrawnFractal& drawn) const {
    std::vector<std::string> names;
    for (const Pixel& point : points_of(drawn)) {
      names.push_back(
          fmt::format("({}, {})", point.y / load_.dilation_h, point.x / load_.dilation_w));
    }
    const std::string to = names.size() > 2 ? "–" : " ";
    if (names.size() > 1) names = {names.front(), names.back()};
    const int64_t plane = points_of(drawn).front().plane;
    return fmt::format("{}filter {}", planes_ > 1 ? fmt::format("c1 {}, ", plane) : "",
                       fmt::join(names, to));
  }

  void draw_fractals() {
    Svg& svg = picture_.svg();
    const Space space = movement_.soc.space_of(movement_.dst.position);
    svg.text(drawn_.front().x, picture_.top() + 8, "section",
             fmt::format("Destination: {} ({})", name_of(space), name_of(movement_.dst.position)));
    for (const DrawnFractal& drawn : drawn_) {
      const Grid shape = grid(drawn);
      shape.draw(svg, drawn.x, drawn.y);
      svg.text(drawn.x, drawn.y - 3, "note", name_of_points(drawn));
      if (const int64_t gap = gap_after(drawn.grid_row); gap > 0) {
        const int64_t first = shape.fractal + 1;
        const int left = drawn.x + shape.label_width(), y = drawn.y + shape.height() + 9;
        const std::string text =
            (gap == 1 ? fmt::format("fractal {}", first)
                      : fmt::format("fractals {} to {}", first, first + gap - 1)) +
            ", untouched";
        const int wide = std::max(shape.width() - shape.label_width(), text_width(text, 12));
        svg.rect(left, y, wide, 20,
                 fmt::format("fill=\"{}\" stroke=\"#c3cbd4\" data-side=\"destination\" "
                             "data-first=\"{}\" data-last=\"{}\" data-state=\"untouched\"",
                             kHatch, first, first + gap - 1));
        svg.text(left + wide / 2, y + 14, "note-middle halo", text);
      }
    }
  }

  // The arrows: from the first pixel (or pad) that a followed row takes for a fractal.
  void choose_arrows() {
    for (size_t n = 0; n < followed_.size(); ++n) {
      for (size_t i = 0; i < drawn_.size(); ++i) {
        const DrawnFractal& drawn = drawn_[i];
        const auto taps = taps_of(drawn, followed_[n].m);
        if (taps.empty() || !map_->drawn(taps.front())) continue;
        if (drawn.grid_column > 0 && drawn.grid_row > 0) continue;
        arrows_.push_back({n, i, taps.front()});
      }
    }
    // The one that starts leftmost takes the highest lane, so that lanes do not cross rises.
    std::ranges::stable_sort(arrows_, {}, [](const Arrow& arrow) { return arrow.from.x; });
  }

  // Up from the pixel, beside its number; along a lane above the map; and down to the fractal: to
  // the row's start if nothing stands before it, else to the fractal's head.
  void draw_arrows() {
    std::map<int64_t, int> rises;  // that a column of the map has already
    for (size_t lane = 0; lane < arrows_.size(); ++lane) {
      const Arrow& arrow = arrows_[lane];
      const DrawnFractal& drawn = drawn_[arrow.drawn];
      const Grid shape = grid(drawn);
      const int rise = rises[arrow.from.x]++;
      const int inset = 3 + rise / 2 * 4;
      const int x1 = rise % 2 == 0 ? map_->pixel_x(arrow.from.x + 1) - inset
                                   : map_->pixel_x(arrow.from.x) + inset;
      const int y1 = map_->pixel_y(arrow.from.plane, arrow.from.y) + 6;
      const int y_lane = picture_.top() + 26 + int(lane) * kLane;
      const std::string_view strong = followed_[arrow.row].shades->strong;
      picture_.svg().rect(x1 - 2, y1 - 2, 4, 4, fmt::format("rx=\"2\" fill=\"{}\"", strong));
      if (drawn.grid_column == 0) {
        const int64_t first = layout_.first_m(drawn.grid_row, 0);
        const int row = layout_.transposed() ? 0 : int(followed_[arrow.row].m - first);
        const int y2 =
            drawn.y + shape.row_centre(row) + (layout_.transposed() ? int(arrow.row) * 8 : 0);
        const int x_down = drawn_.front().x - 26 - int(lane) * kLane;
        arrow_along(picture_.svg(),
                    {{x1, y1}, {x1, y_lane}, {x_down, y_lane}, {x_down, y2}, {drawn.x - 2, y2}},
                    strong);
      } else {
        const int x2 = drawn.x + shape.width() - 22 + int(arrow.row) * 10;
        arrow_along(picture_.svg(), {{x1, y1}, {x1, y_lane}, {x2, y_lane}, {x2, drawn.y + 2}},
                    strong);
      }
    }
  }

  std::string finish() {
    std::vector<LegendItem> legend;
    for (const Followed& line : followed_) {
      legend.push_back({line.shades->middle, line.shades->strong,
                        fmt::format("row m = {}: its window and its pixels", line.m)});
    }
    if (padded_) {
      legend.push_back({kPadFill, "#c3cbd4", fmt::format("pad, value {}", load_.pad_value)});
    }
    if (untouched_ || gap_after(0) > 0) legend.push_back({kHatch, "#c3cbd4", "untouched"});
    picture_.legend(legend);
    picture_.note(
        "A number in the map is that of the pixel's first element; its other channels follow it.");
    picture_.note("filter (0, 1) is the point in line 0 and column 1 of the filter.");
    if (layout_.transposed()) {
      picture_.note(
          "Each drawn row of a fractal is 32 bytes in memory: one column k of the matrix.");
    }
    const int64_t all = layout_.grid_rows() * layout_.grid_columns();
    if (int64_t(drawn_.size()) < all) {
      picture_.note(fmt::format("{} of {} fractals are drawn.", drawn_.size(), all));
    }
    if (!map_->complete()) {
      picture_.note(fmt::format("The map is {} high and {} wide; a part of it is drawn.",
                                load_.l1_h, load_.l1_w));
    }
    return picture_.document();
  }

  const DrawOptions& options_;
  const Load3DOptions& load_;
  const Movement& movement_;
  LoadLayout layout_;
  Picture picture_;
  std::vector<DrawnFractal> drawn_;
  std::vector<Followed> followed_;
  std::map<Pixel, std::set<const Colour*>> taps_;
  std::optional<FeatureMapView> map_;
  std::vector<Arrow> arrows_;
  // Of the drawn fractals, and whether some of their elements are.
  size_t planes_ = 0;
  bool untouched_ = false, padded_ = false;
};

}  // namespace

std::string picture_of_load_3d(const DrawOptions& options, const Movement& movement) {
  const bool v1 = options.what == "load_data_3d_v1";
  Picture picture(v1 ? "LoadData, 3Dv1: image to column" : "LoadData, 3Dv2: image to column",
                  movement.parameters,
                  "The feature map at the left with the filter's windows for some rows of the "
                  "matrix; the fractals that the load writes at the right, with the numbers of "
                  "the map's elements.");
  if (std::ranges::all_of(movement.from, [](int64_t from) { return from == kUntouched; })) {
    picture.note("The call does nothing: every fractal stays as it was.");
    return picture.document();
  }
  return MapPicture(options, movement, std::move(picture)).draw();
}

}  // namespace vinci::cli
