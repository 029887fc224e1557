// SVG as text.
#include "cli/draw/svg.h"

#include <fmt/format.h>

namespace vinci::cli {
namespace {

// Sans for words, numbers centred; everything stays readable when a browser lacks the first fonts.
constexpr std::string_view kStyle =
    "text{font-family:'Liberation Sans',Arial,Helvetica,'DejaVu Sans',sans-serif;fill:#1f2933}"
    ".title{font-size:19px;font-weight:bold}"
    ".caption{font-size:13px;fill:#4a5663}"
    ".head{font-size:13px;font-weight:bold}"
    ".section{font-size:14px;font-weight:bold}"
    ".note{font-size:12px;fill:#4a5663}"
    ".note-end{font-size:12px;fill:#4a5663;text-anchor:end}"
    ".note-middle{font-size:12px;fill:#4a5663;text-anchor:middle}"
    ".axis{font-size:11px;fill:#6b7785;text-anchor:middle}"
    ".axis-end{font-size:11px;fill:#6b7785;text-anchor:end}"
    ".cell{font-size:12px;text-anchor:middle;font-variant-numeric:tabular-nums}"
    ".faint{fill:#8793a0}"
    ".halo{paint-order:stroke;stroke:#fff;stroke-width:5px;stroke-linejoin:round}";

constexpr std::string_view kHatchPattern =
    "<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#f7f8fa\"/>"
    "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke=\"#d3d9e0\" stroke-width=\"2\"/></pattern>";

std::string space_before(std::string_view more) {
  return more.empty() ? std::string() : " " + std::string(more);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += c;
    }
  }
  return safe;
}

void Svg::rect(int x, int y, int width, int height, std::string_view more) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>\n", x, y, width,
                       height, space_before(more));
}

void Svg::line(int x1, int y1, int x2, int y2, std::string_view more) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", x1, y1, x2, y2,
                       space_before(more));
}

void Svg::path(std::string_view d, std::string_view more) {
  body_ += fmt::format("<path d=\"{}\"{}/>\n", d, space_before(more));
}

void Svg::text(int x, int y, std::string_view kind, std::string_view text, std::string_view more) {
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\"{}>{}</text>\n", x, y, kind,
                       space_before(more), escaped(text));
}

void Svg::open_group(std::string_view more) { body_ += fmt::format("<g{}>\n", space_before(more)); }

void Svg::close_group() { body_ += "</g>\n"; }

void Svg::arrow(std::string_view d, std::string_view colour) {
  const std::string id = fmt::format("head-{}", colour.substr(1));
  if (markers_.find(id) == std::string::npos) {
    markers_ += fmt::format(
        "<marker id=\"{}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" "
        "markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
        "<path d=\"M0,0 L10,5 L0,10 z\" fill=\"{}\"/></marker>\n",
        id, colour);
  }
  path(d, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" marker-end=\"url(#{})\"",
                      colour, id));
}

std::string Svg::document(int width, int height, std::string_view title,
                          std::string_view description) const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\" aria-labelledby=\"title desc\">\n"
      "<title id=\"title\">{2}</title>\n<desc id=\"desc\">{3}</desc>\n"
      "<style>{4}</style>\n<defs>{5}\n{6}</defs>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{7}</svg>\n",
      width, height, escaped(title), escaped(description), kStyle, kHatchPattern, markers_, body_);
}

}  // namespace vinci::cli
