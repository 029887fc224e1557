// How GetConv2dTiling cuts the matrices of a Conv2D: the tiling for options, and its picture.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/draw/draw.h"
#include "cli/draw/parts.h"
#include "cli/error.h"
#include "isa/operator/conv2d_tiling.h"
#include "numeric/dtype.h"

namespace vinci::cli {
namespace {

constexpr int kMostPixels = 280;  // of the longest axis
constexpr int kLeastPixels = 18;  // of the shortest

// One axis: blocks, cut into tiles.
struct Axis {
  const char* name;
  uint32_t elements, blocks, tile, tiles;
  int pixels;

  int at(uint32_t block) const { return int(uint64_t(pixels) * block / blocks); }
  uint32_t first(uint32_t index) const { return index * tile; }
  uint32_t end(uint32_t index) const { return std::min(blocks, (index + 1) * tile); }
};

struct Axes {
  Axis m, n, k;
};

Axes axes_of(const Conv2dTilling& t) {
  Axes axes{{"M", t.mNum, t.mBlockNum, t.mTileBlock, t.mIterNum, 0},
            {"N", t.nNum, t.nBlockNum, t.nTileBlock, t.nIterNum, 0},
            {"K", t.kNum, t.kBlockNum, t.kTileBlock, t.kIterNum, 0}};
  const uint32_t longest = std::max({t.mNum, t.nNum, t.kNum});
  for (Axis* axis : {&axes.m, &axes.n, &axes.k}) {
    axis->pixels = std::max(kLeastPixels, int(uint64_t(axis->elements) * kMostPixels / longest));
  }
  return axes;
}

// A matrix as tiles; the colour goes by the tile of K, so that it shows what meets what.
void draw_matrix(Svg& svg, char side, int x, int y, const Axis& down, const Axis& across) {
  for (uint32_t i = 0; i < down.tiles; ++i) {
    for (uint32_t j = 0; j < across.tiles; ++j) {
      const Axis* k = down.name[0] == 'K' ? &down : across.name[0] == 'K' ? &across : nullptr;
      const uint32_t tile = k == &down ? i : j;
      const bool is_tail = k != nullptr && k->end(tile) - k->first(tile) < k->tile;
      const Colour& shade = colour(k == nullptr ? 3 : tile % 2 == 0 ? 0 : 2);
      const int top = down.at(down.first(i)), left = across.at(across.first(j));
      svg.rect(x + left, y + top, across.at(across.end(j)) - left, down.at(down.end(i)) - top,
               fmt::format("fill=\"{}\" stroke=\"{}\" data-side=\"{}\" data-row=\"{}\" "
                           "data-column=\"{}\"",
                           is_tail ? shade.middle : shade.pale, kLine, side, i, j));
    }
  }
}

std::string axis_text(const Axis& axis) {
  const uint32_t tail = axis.blocks - axis.first(axis.tiles - 1);
  std::string text =
      fmt::format("{} = {}: {} block{} in {} tile{} of {}", axis.name, axis.elements, axis.blocks,
                  axis.blocks == 1 ? "" : "s", axis.tiles, axis.tiles == 1 ? "" : "s", axis.tile);
  if (tail != axis.tile) text += fmt::format(", the last of {}", tail);
  return text;
}

}  // namespace

Conv2dTilling tiling_of(const Conv2dOptions& options, DType type) {
  const product::Report refuse = [](Code code, const std::string& text, const std::string& legal) {
    throw usage(fmt::format("GetConv2dTiling: {} ({})\n  legal: {}", text, to_string(code), legal));
  };
  Conv2dParams params;
  const auto copy = [](const std::vector<int>& from, uint32_t* to) {
    std::ranges::transform(from, to, [](int value) { return uint32_t(value); });
  };
  copy(options.img, params.imgShape);
  copy(options.kernel, params.kernelShape);
  copy(options.stride, params.stride);
  copy(options.pad, params.padList);
  copy(options.dilation, params.dilation);
  params.cin = uint32_t(options.cin);
  params.cout = uint32_t(options.cout);
  conv2d::check_type(type, refuse);
  conv2d::check_params(params, type, refuse);
  return conv2d::tiling_of(params, type);
}

std::vector<std::string> parameters_of(const Conv2dOptions& options, DType type) {
  const auto list = [](const char* name, const std::vector<int>& numbers) {
    return fmt::format("{} {}", name, fmt::join(numbers, ","));
  };
  return {std::string(name_of(type)),          list("imgShape", options.img),
          list("kernelShape", options.kernel), list("stride", options.stride),
          list("padList", options.pad),        list("dilation", options.dilation),
          fmt::format("cin {}", options.cin),  fmt::format("cout {}", options.cout)};
}

std::string picture_of_tiling(const Conv2dOptions& options, DType type) {
  const Conv2dTilling tiling = tiling_of(options, type);
  const Axes axes = axes_of(tiling);
  Picture picture("Conv2D: how GetConv2dTiling cuts M, N and K", parameters_of(options, type),
                  "The product that a convolution is: A, a row for each window of the feature map, "
                  "times B, a column for each kernel, with the lines along which each is cut.");
  draw_product(picture,
               {axes.m.pixels, axes.n.pixels, axes.k.pixels, "A: windows, M x K",
                "B: weights, K x N", "C: result, M x N"},
               [&](char matrix, int x, int y) {
                 draw_matrix(picture.svg(), matrix, x, y, matrix == 'B' ? axes.k : axes.m,
                             matrix == 'A' ? axes.k : axes.n);
               });
  std::vector<LegendItem> legend{{colour(0).pale, kLine, "tiles of K: the first, the third, ..."},
                                 {colour(2).pale, kLine, "the second, the fourth, ..."}};
  if (tiling.kHasTail) {
    legend.push_back({colour((tiling.kIterNum - 1) % 2 == 0 ? 0 : 2).middle, kLine,
                      "the last one, which is smaller"});
  }
  picture.legend(legend);
  picture.note(
      "The first tile of A times the first of B, plus the second times the second, ... is C.");
  for (const Axis* axis : {&axes.m, &axes.n, &axes.k}) picture.note(axis_text(*axis));
  picture.note(
      fmt::format("A block of M or N has 16 rows or columns, one of K {}.", tiling.c0Size));
  const product::Tiling tiles = product::tiling_from(tiling);
  picture.note(
      fmt::format("A tile takes {} of 65536 bytes of L0A and {} of L0B: {}.", tiles.a_tile_bytes(),
                  tiles.b_tile_bytes(),
                  tiles.has_two_buffers() ? "two at once, which take turns" : "one at a time"));
  return picture.document();
}

}  // namespace vinci::cli
