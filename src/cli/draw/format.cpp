// The picture of a fractal format: the matrix with its fractals, and one fractal with its elements.
#include "cli/draw/format.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/draw/draw.h"
#include "cli/error.h"
#include "numeric/dtype.h"

namespace vinci::cli {
namespace {

constexpr int64_t kMostBlocks = 5;  // of rows, and of columns

int64_t run_elements(DType type) { return 256 / bits_of(type); }

int width_of_number(int64_t number) { return 15 + 7 * int(fmt::to_string(number).size()); }

}  // namespace

Format::Format(std::string_view name, int64_t rows, int64_t columns, DType type)
    : Format(name, rows, columns, 16, run_elements(type)) {
  if (name == "ND") {
    fractal_rows_ = rows;
    fractal_columns_ = columns;
  } else if (small_n_) {
    std::swap(fractal_rows_, fractal_columns_);
  }
}

Format::Format(std::string_view name, int64_t rows, int64_t columns, int64_t fractal_rows,
               int64_t fractal_columns)
    : rows_(rows),
      columns_(columns),
      fractal_rows_(fractal_rows),
      fractal_columns_(fractal_columns),
      small_n_(name[0] == 'n'),
      big_n_(name[1] == 'N') {}

int64_t Format::offset(int64_t row, int64_t column) const {
  const int64_t r = row % fractal_rows_, c = column % fractal_columns_;
  return fractal(row / fractal_rows_, column / fractal_columns_) * fractal_rows_ *
             fractal_columns_ +
         (small_n_ ? c * fractal_rows_ + r : r * fractal_columns_ + c);
}

int64_t MatrixView::drawn_rows() const { return std::min(format.row_blocks(), kMostBlocks); }
int64_t MatrixView::drawn_columns() const { return std::min(format.column_blocks(), kMostBlocks); }
bool MatrixView::complete() const {
  return drawn_rows() == format.row_blocks() && drawn_columns() == format.column_blocks();
}

// Proportional within limits in which the number and the walk have room.
int MatrixView::box_width() const {
  return std::clamp<int>(int(format.fractal_columns()) * 5, 60, 140);
}
int MatrixView::box_height() const {
  return std::clamp<int>(int(format.fractal_rows()) * 5, 52, 140);
}
int MatrixView::width() const { return int(drawn_columns()) * box_width(); }
int MatrixView::height() const { return int(drawn_rows()) * box_height(); }

int MatrixView::row_y(int64_t at) const {
  return int((2 * at + 1) * box_height() / (2 * format.fractal_rows()));
}
int MatrixView::column_x(int64_t at) const {
  return int((2 * at + 1) * box_width() / (2 * format.fractal_columns()));
}

void MatrixView::draw(Svg& svg, int x, int y) const {
  const auto for_each_box = [&](auto use) {
    for (int64_t r = 0; r < drawn_rows(); ++r) {
      for (int64_t c = 0; c < drawn_columns(); ++c) {
        use(x + int(c) * box_width(), y + int(r) * box_height(), format.fractal(r, c));
      }
    }
  };
  for_each_box([&](int left, int top, int64_t) { draw_box(svg, left, top); });
  draw_tails(svg, x, y);
  draw_bands(svg, x, y);
  if (format.row_blocks() * format.column_blocks() > 1) {
    draw_walk(svg, x, y);
    for_each_box([&](int left, int top, int64_t number) {
      draw_number(svg, left + box_width() / 2, top + box_height() / 2, number);
    });
  }
  draw_mark(svg, x, y);
}

// A fractal and, pale in it, the order of its elements.
void MatrixView::draw_box(Svg& svg, int x, int y) const {
  svg.rect(x, y, box_width(), box_height(),
           fmt::format("fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"1.3\"", kLine));
  constexpr int kStrokes = 3;  // of the Z or N
  const int wide = box_width() - 16, high = box_height() - 16;
  std::string d;
  for (int i = 0; i < kStrokes; ++i) {
    const int along = format.small_n() ? x + 8 + wide * i / (kStrokes - 1) : x + 8;
    const int down = format.small_n() ? y + 8 : y + 8 + high * i / (kStrokes - 1);
    d +=
        fmt::format("{}{},{} L{},{}", i == 0 ? "M" : " L", along, down,
                    format.small_n() ? along : along + wide, format.small_n() ? down + high : down);
  }
  svg.path(d, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"", shades->middle));
}

// A fractal's number, as a station of the walk.
void MatrixView::draw_number(Svg& svg, int x, int y, int64_t number) const {
  const int wide = width_of_number(number);
  svg.rect(
      x - wide / 2, y - 11, wide, 22,
      fmt::format("rx=\"11\" fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"1.5\"", shades->strong));
  svg.text(x, y + 4, "cell", fmt::to_string(number),
           fmt::format("data-side=\"{}\" data-fractal=\"{}\"", name, number));
}

void MatrixView::draw_tails(Svg& svg, int x, int y) const {
  const auto cut = [](int64_t size, int64_t fractal, int64_t drawn, int box) {
    return std::min(int(size * box / fractal), int(drawn) * box);
  };
  const int right = cut(format.columns(), format.fractal_columns(), drawn_columns(), box_width());
  const int bottom = cut(format.rows(), format.fractal_rows(), drawn_rows(), box_height());
  const std::string hatch = fmt::format("fill=\"{}\" fill-opacity=\"0.85\"", kHatch);
  if (right < width()) svg.rect(x + right, y, width() - right, height(), hatch);
  if (bottom < height()) svg.rect(x, y + bottom, right, height() - bottom, hatch);
  svg.rect(x, y, right, bottom, "fill=\"none\" stroke=\"#1f2933\" stroke-width=\"2.4\"");
}

// An arrow from each fractal's number to the next one. Where fractals are left out at the end of a
// line, the line runs out of the picture and the next one begins anew.
void MatrixView::draw_walk(Svg& svg, int x, int y) const {
  const bool down = format.big_n();
  const int64_t outer = down ? drawn_columns() : drawn_rows();
  const int64_t inner = down ? drawn_rows() : drawn_columns();
  const bool cut = inner < (down ? format.row_blocks() : format.column_blocks());
  const int number_width = width_of_number(format.fractal(drawn_rows() - 1, drawn_columns() - 1));
  const auto middle = [&](int64_t step) {
    const int64_t i = step / inner, j = step % inner;
    return Point{x + int(down ? i : j) * box_width() + box_width() / 2,
                 y + int(down ? j : i) * box_height() + box_height() / 2};
  };
  for (int64_t step = 0; step < outer * inner; ++step) {
    const Point from = middle(step);
    Point to = middle(step + 1);
    if (cut && (step + 1) % inner == 0) {
      to = down ? Point{from.x, from.y + box_height() / 2 + 14}
                : Point{from.x + box_width() / 2 + 14, from.y};
    } else if (step + 1 == outer * inner) {
      break;
    } else {  // end before the number
      const int distance = std::max(std::abs(to.x - from.x), std::abs(to.y - from.y));
      const int room =
          std::abs(to.x - from.x) > std::abs(to.y - from.y) ? number_width / 2 + 2 : 13;
      to = {to.x - (to.x - from.x) * room / distance, to.y - (to.y - from.y) * room / distance};
    }
    svg.arrow(fmt::format("M{},{} L{},{}", from.x, from.y, to.x, to.y), shades->strong);
  }
}

void MatrixView::draw_bands(Svg& svg, int x, int y) const {
  const std::string band = fmt::format("fill=\"{}\" fill-opacity=\"0.45\"", colour(1).strong);
  if (row && !column && row_y(*row) < height()) {
    svg.rect(x, y + row_y(*row) - 2, width(), 4, band);
  }
  if (column && !row && column_x(*column) < width()) {
    svg.rect(x + column_x(*column) - 2, y, 4, height(), band);
  }
}

void MatrixView::draw_mark(Svg& svg, int x, int y) const {
  if (!row || !column || row_y(*row) >= height() || column_x(*column) >= width()) return;
  svg.rect(x + column_x(*column) - 5, y + row_y(*row) - 5, 10, 10,
           fmt::format("rx=\"5\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"1.5\"",
                       colour(1).strong));
}

namespace {

std::string meaning_of(const std::string& name) {
  if (name == "ND") return "ND: row after row, without fractals";
  return fmt::format("{}: inside a fractal {} first ({}), the fractals {} first ({})", name,
                     name[0] == 'z' ? "rows" : "columns", name[0],
                     name[1] == 'Z' ? "rows" : "columns", name[1]);
}

// The fractal (or, for ND, the matrix) that holds the marked element, with element numbers.
Grid grid_of(const Format& format, int64_t row, int64_t column, int room) {
  const int64_t first_row = row / format.fractal_rows() * format.fractal_rows();
  const int64_t first_column = column / format.fractal_columns() * format.fractal_columns();
  Grid grid;
  grid.side = "fractal";
  grid.fractal = format.fractal(row / format.fractal_rows(), column / format.fractal_columns());
  const bool one = format.row_blocks() * format.column_blocks() == 1;
  if (!one) grid.head = fmt::format("fractal {}", grid.fractal);
  grid.row_name = "row";
  grid.column_name = "column";
  grid.rows = excerpt(int(format.fractal_rows()), room, int(row - first_row));
  grid.columns = excerpt(int(format.fractal_columns()), room, int(column - first_column));
  grid.digits = int(fmt::to_string(format.offset(format.rows() - 1, format.columns() - 1)).size());
  grid.row_label = [=](int r) { return fmt::to_string(first_row + r); };
  grid.column_label = [=](int c) { return fmt::to_string(first_column + c); };
  grid.cell = [=](int r, int c) {
    Cell cell{fmt::to_string(format.offset(first_row + r, first_column + c))};
    const int run = format.small_n() ? c : r;
    if (run == 0) cell.fill = colour(0).middle;
    if (run == 1) cell.fill = colour(0).pale;
    if (first_row + r >= format.rows() || first_column + c >= format.columns()) cell.fill = kHatch;
    if (first_row + r == row && first_column + c == column) cell.mark = colour(1).strong;
    return cell;
  };
  return grid;
}

}  // namespace

std::string picture_of_format(const DrawOptions& options, DType type) {
  const FormatOptions& wanted = options.format;
  if (wanted.element.size() != 2) throw usage("--element: row,column");
  const int row = wanted.element[0], column = wanted.element[1];
  if (row < 0 || row >= wanted.rows || column < 0 || column >= wanted.columns) {
    throw usage(fmt::format("--element {},{} is outside a matrix of {} rows and {} columns", row,
                            column, wanted.rows, wanted.columns));
  }
  const Format format(wanted.name, wanted.rows, wanted.columns, type);
  const bool nd = wanted.name == "ND";
  const int64_t offset = format.offset(row, column);
  std::vector<std::string> parameters{
      fmt::format("{} rows, {} columns", wanted.rows, wanted.columns), std::string(name_of(type))};
  if (!nd) {
    parameters.push_back(fmt::format("fractals of {} rows and {} columns, 512 bytes",
                                     format.fractal_rows(), format.fractal_columns()));
  }
  Picture picture(
      fmt::format("Format {}", meaning_of(wanted.name)), parameters,
      "The matrix with its fractals in the order of memory, and the fractal of a marked "
      "element with the numbers of its elements in memory.");
  MatrixView view{format, "matrix"};
  view.row = row;
  view.column = column;
  const int x = kMargin + 30, y = picture.top() + 36;
  picture.svg().text(kMargin, picture.top() + 8, "section",
                     nd ? "The matrix" : "Order of fractals");
  view.draw(picture.svg(), x, y);
  picture.reach(x + view.width(), y + view.height() + (view.complete() ? 0 : 16));

  const Grid grid = grid_of(format, row, column, options.excerpt_or(6));
  const int grid_x = x + std::max(view.width(), 150) + 80;
  picture.svg().text(grid_x, picture.top() + 8, "section",
                     nd ? "Element numbers" : "Element numbers in memory, in one fractal");
  grid.draw(picture.svg(), grid_x, y - 14);
  picture.reach(grid_x + grid.width(), y - 14 + grid.height());

  const std::string place =
      fmt::format("{} of the {}", format.small_n() ? "column" : "row", nd ? "matrix" : "fractal");
  picture.legend({{colour(0).middle, colour(0).strong, "first " + place},
                  {colour(0).pale, colour(0).strong, "second " + place},
                  {"none", colour(1).strong, "the marked element"},
                  {kHatch, "#c3cbd4", "behind the end of the matrix"}});
  const uint64_t bits = uint64_t(offset) * bits_of(type);
  picture.note(fmt::format("Element ({}, {}) is element {} in memory, at byte {}{}.", row, column,
                           offset, bits / 8,
                           bits_of(type) == 4 ? bits % 8 == 0 ? ", low half" : ", high half" : ""));
  if (!view.complete()) {
    picture.note(fmt::format("Of {} x {} fractals the first are drawn.", format.row_blocks(),
                             format.column_blocks()));
  }
  return picture.document();
}

}  // namespace vinci::cli
