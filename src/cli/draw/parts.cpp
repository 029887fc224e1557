// Colours, grids, measures and the frame.
#include "cli/draw/parts.h"

#include <algorithm>

#include <fmt/format.h>

namespace vinci::cli {
namespace {

// After Okabe and Ito, darkened for lines and paled for areas under text.
constexpr Colour kColours[] = {
    {"#0067a3", "#a6cfe8", "#e4f1f9"}, {"#c24e00", "#f7c39c", "#fdeee2"},
    {"#00785a", "#9bd8c4", "#e1f4ee"}, {"#8f4a80", "#dfb3d3", "#f7ebf4"},
    {"#94690a", "#efcf85", "#fcf3dc"}, {"#46566b", "#b9c5d4", "#e9edf2"},
};

constexpr int kHeadHeight = 20;
constexpr int kAxisHeight = 16;
constexpr int kCellHeight = 19;
constexpr int kEllipsisWidth = 20;
constexpr int kMostShown = 64;  // no fractal has more rows or columns

std::string filled(std::string_view fill, std::string_view stroke) {
  return fmt::format("fill=\"{}\" stroke=\"{}\"", fill, stroke);
}

}  // namespace

const Colour& colour(int64_t number) { return kColours[size_t(number) % std::size(kColours)]; }

std::vector<int> excerpt(int count, int room, int wanted) {
  std::vector<int> shown;
  if (room == 0) room = kMostShown;
  if (count <= room) {
    for (int i = 0; i < count; ++i) shown.push_back(i);
    return shown;
  }
  const int first = std::max(room - 2, 1);
  for (int i = 0; i < first; ++i) shown.push_back(i);
  if (wanted >= first && wanted < count - 1) {
    if (wanted > first) shown.push_back(kEllipsis);
    shown.push_back(wanted);
  }
  if (shown.back() < count - 2) shown.push_back(kEllipsis);
  shown.push_back(count - 1);
  return shown;
}

int text_width(std::string_view text, int font_size) {
  return int(text.size()) * font_size * 56 / 100 + 2;
}

int Grid::label_width() const {
  size_t widest = 2;
  for (const int row : rows) {
    if (row_label && row != kEllipsis) widest = std::max(widest, row_label(row).size());
  }
  return int(widest) * 7 + 8;
}
int Grid::cell_width() const { return std::max(digits * 7 + 8, 26); }

int Grid::width() const { return column_centre(columns.back()) + cell_width() / 2; }
int Grid::height() const { return kHeadHeight + kAxisHeight + int(rows.size()) * kCellHeight; }

int Grid::row_centre(int row) const {
  const auto place = std::ranges::find(rows, row) - rows.begin();
  return kHeadHeight + kAxisHeight + int(place) * kCellHeight + kCellHeight / 2;
}

int Grid::column_centre(int column) const {
  int x = label_width();
  for (const int shown : columns) {
    const int wide = shown == kEllipsis ? kEllipsisWidth : cell_width();
    if (shown == column) return x + wide / 2;
    x += wide;
  }
  return x;
}

void Grid::draw(Svg& svg, int x, int y) const {
  svg.open_group(fmt::format("data-side=\"{}\" data-fractal=\"{}\"", side, fractal));
  const int left = x + label_width(), right = x + width(), top = y + kHeadHeight + kAxisHeight;
  if (!head.empty()) svg.text(x, y + 14, "head", head);
  if (!note.empty() && (text_width(head) + text_width(note, 12)) * 9 / 10 <= width()) {
    svg.text(right, y + 14, "note-end", note);
  }
  if (!row_name.empty()) {
    svg.text(left - 5, top - 4, "axis-end", row_name + " \\ " + column_name);
  }
  int at_x = left;
  std::vector<std::pair<int, std::string>> marks;
  for (const int column : columns) {
    const int wide = column == kEllipsis ? kEllipsisWidth : cell_width();
    const std::string label = column == kEllipsis ? "…"
                              : column_label      ? column_label(column)
                                                  : fmt::to_string(column);
    svg.text(at_x + wide / 2, top - 4, "axis", label);
    int at_y = top;
    for (const int row : rows) {
      const int middle_y = at_y + kCellHeight - 5;
      if (row == kEllipsis || column == kEllipsis) {
        const char* dots = row == kEllipsis && column == kEllipsis ? "⋱"
                           : row == kEllipsis                      ? "⋮"
                                                                   : "…";
        svg.rect(at_x, at_y, wide, kCellHeight, filled("#ffffff", "none"));
        svg.text(at_x + wide / 2, middle_y, "cell faint", dots);
      } else {
        const Cell shown = cell(row, column);
        svg.rect(at_x, at_y, wide, kCellHeight, filled(shown.fill, "#d8dee5"));
        svg.text(at_x + wide / 2, middle_y, "cell", shown.text,
                 fmt::format("data-side=\"{}\" data-fractal=\"{}\" data-row=\"{}\" "
                             "data-column=\"{}\"",
                             side, fractal, row, column));
        if (!shown.mark.empty()) {
          svg.rect(at_x + 1, at_y + 1, wide - 2, kCellHeight - 2,
                   fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2.5\"", shown.mark));
        }
      }
      at_y += kCellHeight;
    }
    at_x += wide;
  }
  int at_y = top;
  for (const int row : rows) {
    const std::string label = row == kEllipsis ? "⋮"
                              : row_label      ? row_label(row)
                                               : fmt::to_string(row);
    svg.text(left - 5, at_y + kCellHeight - 6, "axis-end", label);
    at_y += kCellHeight;
  }
  svg.rect(left, top, right - left, at_y - top,
           fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"", frame));
  svg.close_group();
}

void measure_down(Svg& svg, int x, int y1, int y2, std::string_view text, bool at_left) {
  const std::string stroke = fmt::format("stroke=\"{}\" stroke-width=\"1.2\"", kLine);
  svg.line(x, y1, x, y2, stroke);
  svg.line(x - 5, y1, x + 5, y1, stroke);
  svg.line(x - 5, y2, x + 5, y2, stroke);
  svg.text(at_left ? x - 8 : x + 8, (y1 + y2) / 2 + 4, at_left ? "note-end" : "note", text);
}

void measure_across(Svg& svg, int x1, int x2, int y, std::string_view text) {
  const std::string stroke = fmt::format("stroke=\"{}\" stroke-width=\"1.2\"", kLine);
  svg.line(x1, y, x2, y, stroke);
  svg.line(x1, y - 5, x1, y + 5, stroke);
  svg.line(x2, y - 5, x2, y + 5, stroke);
  svg.text((x1 + x2) / 2, y - 9, "note-middle", text);
}

void arrow_across(Svg& svg, int x1, int y1, int x2, int y2, std::string_view colour) {
  const int bend = (x2 - x1) / 2;
  svg.arrow(fmt::format("M{},{} C{},{} {},{} {},{}", x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2),
            colour);
}

void arrow_along(Svg& svg, const std::vector<Point>& points, std::string_view colour) {
  std::string d = fmt::format("M{},{}", points[0].x, points[0].y);
  for (size_t i = 1; i + 1 < points.size(); ++i) {
    const Point &before = points[i - 1], &at = points[i], &after = points[i + 1];
    // `most` pixels from the corner towards a neighbour, on a level or upright piece.
    const auto towards = [&](const Point& other) {
      const int distance = std::abs(other.x - at.x) + std::abs(other.y - at.y);
      const int most = std::min(6, distance / 2);
      const auto sign = [](int difference) { return (difference > 0) - (difference < 0); };
      return Point{at.x + most * sign(other.x - at.x), at.y + most * sign(other.y - at.y)};
    };
    const Point in = towards(before), out = towards(after);
    d += fmt::format(" L{},{} Q{},{} {},{}", in.x, in.y, at.x, at.y, out.x, out.y);
  }
  d += fmt::format(" L{},{}", points.back().x, points.back().y);
  svg.arrow(d, colour);
}

Picture::Picture(std::string title, const std::vector<std::string>& parameters,
                 std::string description)
    : title_(std::move(title)), description_(std::move(description)) {
  int y = kMargin + 12;
  svg_.text(kMargin, y, "title", title_);
  std::string line;
  const auto flush = [&] {
    y += 20;
    svg_.text(kMargin, y, "caption", line);
    line.clear();
  };
  for (const std::string& parameter : parameters) {
    const std::string longer = line.empty() ? parameter : line + " · " + parameter;
    if (longer.size() > kMostCaption) {
      flush();
      line = parameter;
    } else {
      line = longer;
    }
  }
  if (!line.empty()) flush();
  top_ = bottom_ = y + 30;
}

void Picture::reach(int x, int y) {
  right_ = std::max(right_, x + kMargin);
  bottom_ = std::max(bottom_, y);
}

void Picture::draw_legend(int width) {
  int x = kMargin, y = bottom_ + 30;
  for (const LegendItem& item : legend_) {
    const int wide = 26 + text_width(item.text, 12) + 18;
    if (x > kMargin && x + wide > width - kMargin) {
      x = kMargin;
      y += 22;
    }
    svg_.rect(x, y - 11, 18, 14, filled(item.fill, item.stroke));
    svg_.text(x + 25, y, "note", item.text);
    x += wide;
  }
  for (const std::string& note : notes_) {
    y += legend_.empty() && &note == notes_.data() ? 0 : 22;
    svg_.text(kMargin, y, "note", note);
  }
  bottom_ = y;
}

std::string Picture::document() {
  for (const std::string& note : notes_)
    right_ = std::max(right_, 2 * kMargin + text_width(note, 12));
  right_ = std::max(right_, 2 * kMargin + text_width(title_, 19));
  draw_legend(right_);
  return svg_.document(right_, bottom_ + kMargin, title_, description_);
}

void draw_product(Picture& picture, const Product& product,
                  const std::function<void(char matrix, int x, int y)>& draw) {
  Svg& svg = picture.svg();
  const int a_x = kMargin, c_x = a_x + std::max(product.k, 170) + 40;
  const int b_y = picture.top() + 24, c_y = b_y + product.k + 44;
  svg.text(c_x, b_y - 8, "head", product.b);
  svg.text(a_x, c_y - 8, "head", product.a);
  svg.text(c_x, c_y - 8, "head", product.c);
  draw('B', c_x, b_y);
  draw('A', a_x, c_y);
  draw('C', c_x, c_y);
  picture.reach(c_x + std::max(product.n, 130), c_y + product.m);
}

}  // namespace vinci::cli
