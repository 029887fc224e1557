// Writes an SVG picture: shapes in the order of the calls, and a frame around them at the end.
#pragma once

#include <string>
#include <string_view>

namespace vinci::cli {

// Text with &, <, > and quotes made harmless.
std::string escaped(std::string_view text);

// Coordinates are pixels. `more` is further attributes, ready to print: `data-row="3"`.
class Svg {
 public:
  void rect(int x, int y, int width, int height, std::string_view more);
  void line(int x1, int y1, int x2, int y2, std::string_view more);
  void path(std::string_view d, std::string_view more);
  // `kind` is one of the classes in svg.cpp. x is the text's middle, start or end as the class
  // says.
  void text(int x, int y, std::string_view kind, std::string_view text, std::string_view more = "");
  void open_group(std::string_view more);
  void close_group();
  // A line with a head in the line's colour. d is a path; the head points along its end.
  void arrow(std::string_view d, std::string_view colour);

  // The whole document. Title and description are for screen readers.
  std::string document(int width, int height, std::string_view title,
                       std::string_view description) const;

 private:
  std::string body_;
  std::string markers_;  // an arrow head for each colour met
};

}  // namespace vinci::cli
