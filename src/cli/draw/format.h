// Matrices in fractal formats: where an element lies, and how the whole looks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/draw/parts.h"
#include "vinci/dtype.h"

namespace vinci::cli {

// zZ, zN, nZ, nN: the small letter orders the elements of a fractal, the capital the fractals;
// z and Z go along rows first. A fractal is runs of 32 bytes, 16 of them: of 16 rows for z, of 16
// columns for n. ND is one run of rows.
class Format {
 public:
  Format(std::string_view name, int64_t rows, int64_t columns, DType type);
  // Fractals of any other size: of L0C, or a vector.
  Format(std::string_view name, int64_t rows, int64_t columns, int64_t fractal_rows,
         int64_t fractal_columns);

  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  int64_t fractal_rows() const { return fractal_rows_; }
  int64_t fractal_columns() const { return fractal_columns_; }
  int64_t row_blocks() const { return (rows_ + fractal_rows_ - 1) / fractal_rows_; }
  int64_t column_blocks() const { return (columns_ + fractal_columns_ - 1) / fractal_columns_; }
  bool small_n() const { return small_n_; }
  bool big_n() const { return big_n_; }

  // Number of a fractal, by its place; of an element, by row and column.
  int64_t fractal(int64_t row_block, int64_t column_block) const {
    return big_n_ ? column_block * row_blocks() + row_block
                  : row_block * column_blocks() + column_block;
  }
  int64_t offset(int64_t row, int64_t column) const;

 private:
  int64_t rows_, columns_, fractal_rows_, fractal_columns_;
  bool small_n_, big_n_;
};

// A matrix as its fractals, with their numbers and the walk through them; what lies behind the
// last row and column is hatched.
struct MatrixView {
  const Format& format;
  std::string name;  // "A", "matrix"; data-side of the fractals
  const Colour* shades = &colour(0);
  // A row, a column, or where they meet, shown as bands and a dot.
  std::optional<int64_t> row = {}, column = {};

  int width() const;
  int height() const;
  bool complete() const;               // all fractals are drawn
  int row_y(int64_t row) const;        // middle of a row, from the top
  int column_x(int64_t column) const;  // middle of a column, from the left
  void draw(Svg& svg, int x, int y) const;

 private:
  int64_t drawn_rows() const;
  int64_t drawn_columns() const;
  int box_width() const;
  int box_height() const;
  void draw_box(Svg& svg, int x, int y) const;
  void draw_number(Svg& svg, int x, int y, int64_t number) const;
  void draw_tails(Svg& svg, int x, int y) const;
  void draw_walk(Svg& svg, int x, int y) const;
  void draw_bands(Svg& svg, int x, int y) const;
  void draw_mark(Svg& svg, int x, int y) const;
};

}  // namespace vinci::cli
