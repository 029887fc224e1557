// What the pictures of `vinci draw` are made of: colours, fractals with some of their numbers,
// measures, and the frame with title, caption and legend.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/draw/svg.h"

namespace vinci::cli {

// One of six colours that people with any colour vision tell apart; its shades from dark to pale.
struct Colour {
  std::string_view strong, middle, pale;
};
const Colour& colour(int64_t number);  // they repeat

inline constexpr std::string_view kHatch = "url(#hatch)";  // what nobody reads or writes
inline constexpr std::string_view kPadFill = "#e9ecef";
inline constexpr std::string_view kLine = "#5b6875";
inline constexpr int kMargin = 28;

// Which of 0..count-1 are shown when there is room for `room` (0: for all of a fractal): the first
// ones, then kEllipsis, then the last. `wanted` is shown in any case, if it is not negative.
inline constexpr int kEllipsis = -1;
std::vector<int> excerpt(int count, int room, int wanted = -1);

// An estimate from above, for text in the classes of svg.cpp.
int text_width(std::string_view text, int font_size = 13);

// A fractal or a matrix with some of its numbers. Each number carries its place as attributes
// data-side, data-fractal, data-row and data-column, so that a program can read the picture.
struct Cell {
  std::string text;
  std::string_view fill = "#ffffff";
  std::string_view mark = {};  // colour of a frame around the cell, if any
};
struct Grid {
  std::string side;  // "source", "destination", ...
  int64_t fractal = 0;
  std::string head, note;  // above, at the left and at the right
  std::string row_name, column_name;
  std::vector<int> rows, columns;  // kEllipsis where some are left out
  std::function<Cell(int row, int column)> cell;
  // Labels at the edges; the index itself if empty.
  std::function<std::string(int row)> row_label = {};
  std::function<std::string(int column)> column_label = {};
  std::string_view frame = kLine;
  int digits = 3;  // of the widest number

  int label_width() const;
  int cell_width() const;
  int width() const;
  int height() const;
  // Centre of a shown row, from the top; of a shown column, from the left.
  int row_centre(int row) const;
  int column_centre(int column) const;
  void draw(Svg& svg, int x, int y) const;
};

// A straight measure from (x, y1) to (x, y2), with its text beside it: at the left, or the right.
void measure_down(Svg& svg, int x, int y1, int y2, std::string_view text, bool at_left);
// From (x1, y) to (x2, y), text above.
void measure_across(Svg& svg, int x1, int x2, int y, std::string_view text);

// A curve with a head, leaving and arriving level.
void arrow_across(Svg& svg, int x1, int y1, int x2, int y2, std::string_view colour);

// Straight pieces with round corners.
struct Point {
  int x, y;
};
void arrow_along(Svg& svg, const std::vector<Point>& points, std::string_view colour);

struct LegendItem {
  std::string_view fill, stroke;
  std::string text;
};

// A picture: what it is called, what was asked, and what is drawn below that. `body` draws from
// (kMargin, top) on.
class Picture {
 public:
  // Where the body begins, once title and caption are known.
  Picture(std::string title, const std::vector<std::string>& parameters, std::string description);

  Svg& svg() { return svg_; }
  int top() const { return top_; }
  int bottom() const { return bottom_; }
  // The body reaches to here.
  void reach(int x, int y);
  void legend(std::vector<LegendItem> items) { legend_ = std::move(items); }
  void note(std::string text) { notes_.push_back(std::move(text)); }
  std::string document();

 private:
  static constexpr int kLeast = 760;           // width
  static constexpr size_t kMostCaption = 130;  // bytes in a line, which fit that width

  void draw_legend(int width);

  std::string title_, description_;
  Svg svg_;
  int top_ = 0, right_ = kLeast, bottom_ = 0;
  std::vector<LegendItem> legend_;
  std::vector<std::string> notes_;
};

// The matrices of a product of M x K and K x N, in pixels, and what is written above them.
struct Product {
  int m, n, k;
  std::string_view a, b, c;
};
// B above C, A at its left; `draw` draws one of them ("A", "B", "C") from (x, y) on.
void draw_product(Picture& picture, const Product& product,
                  const std::function<void(char matrix, int x, int y)>& draw);

}  // namespace vinci::cli
