// How GetTiling cuts the matrices of a Matmul: the tiling for options, and its picture.
#include <algorithm>

#include <fmt/format.h>

#include "cli/draw/draw.h"
#include "cli/draw/parts.h"
#include "cli/error.h"
#include "core/instruction.h"
#include "numeric/dtype.h"
#include "vinci/matmul_tiling.h"

namespace vinci::cli {
namespace {

constexpr int kMostPixels = 280;  // of the longest axis
constexpr int kLeastPixels = 24;  // of the shortest
constexpr int kMostLines = 70;    // of tiles, along an axis

// One axis: parts of the cores, and in each of them blocks.
struct Axis {
  int32_t size, single, base;
  int pixels;

  int at(int32_t element) const { return int(int64_t(pixels) * std::min(element, size) / size); }
  int32_t parts() const { return (size - 1) / single + 1; }
};

struct Axes {
  Axis m, n, k;
};

Axes axes_of(const MatmulTilingData& t) {
  Axes axes{{t.M, t.singleCoreM, t.baseM, 0},
            {t.N, t.singleCoreN, t.baseN, 0},
            {t.Ka, t.singleCoreK, t.baseK, 0}};
  const int64_t longest = std::max({t.M, t.N, t.Ka});
  for (Axis* axis : {&axes.m, &axes.n, &axes.k}) {
    axis->pixels = std::max(kLeastPixels, int(axis->size * int64_t(kMostPixels) / longest));
  }
  return axes;
}

// A rectangle for each core's part, and lines where its blocks begin, if they are not too many.
void draw_matrix(Svg& svg, char side, int x, int y, const Axis& down, const Axis& across) {
  for (int32_t i = 0; i < down.parts(); ++i) {
    for (int32_t j = 0; j < across.parts(); ++j) {
      const int top = down.at(i * down.single), left = across.at(j * across.single);
      svg.rect(x + left, y + top, across.at((j + 1) * across.single) - left,
               down.at((i + 1) * down.single) - top,
               fmt::format("fill=\"{}\" stroke=\"{}\" data-side=\"{}\" data-row=\"{}\" "
                           "data-column=\"{}\"",
                           colour((i + j) % 2 == 0 ? 0 : 2).pale, kLine, side, i, j));
    }
  }
  const auto lines = [](const Axis& axis, const auto& draw) {
    if ((axis.single - 1) / axis.base * axis.parts() > kMostLines) return;
    for (int32_t part = 0; part < axis.size; part += axis.single) {
      const int32_t end = std::min(part + axis.single, axis.size);
      for (int32_t block = part + axis.base; block < end; block += axis.base) draw(axis.at(block));
    }
  };
  const std::string thin = fmt::format("stroke=\"{}\" stroke-dasharray=\"2 2\"", kLine);
  lines(down, [&](int at) { svg.line(x, y + at, x + across.pixels, y + at, thin); });
  lines(across, [&](int at) { svg.line(x + at, y, x + at, y + down.pixels, thin); });
}

std::string axis_text(const char* name, const Axis& axis) {
  return fmt::format("{} = {}: {} part{} of {}, in blocks of {}", name, axis.size, axis.parts(),
                     axis.parts() == 1 ? "" : "s", axis.single, axis.base);
}

bool has_matmul(const Soc& soc) {
  const auto found = std::ranges::find(all_instructions(), "matmul", &Instruction::mnemonic);
  return std::ranges::any_of((*found)->support, [&](const Support& row) {
    return row.implemented && row.covers(soc.arch->bit, kAscendC);
  });
}

}  // namespace

MatmulTilingData tiling_of(const MatmulOptions& options, DType type, const Soc& soc) {
  if (!has_matmul(soc)) {
    throw usage(fmt::format("{} has no Matmul (vinci explain Matmul)", soc.name));
  }
  MatmulTilingRequest request;
  const int bits = int(bits_of(type));
  if (type != DType::kHalf && type != DType::kBfloat16 && type != DType::kFloat &&
      type != DType::kInt8 && type != DType::kInt4) {
    throw usage(fmt::format("--type {}: half, bfloat16, float, int8 or int4", name_of(type)));
  }
  request.a = {bits, false, false, options.trans_a};
  request.b = {bits, false, false, options.trans_b};
  request.c = request.bias = {32, false, false, false};
  request.m = request.org_m = options.shape[0];
  request.n = request.org_n = options.shape[1];
  request.k = request.org_ka = request.org_kb = options.shape[2];
  if (!options.base.empty()) {
    request.base_m = options.base[0];
    request.base_n = options.base[1];
    request.base_k = options.base[2];
    if (request.base_m % 16 != 0 || request.base_n % 16 != 0 || request.base_k * bits % 256 != 0) {
      throw usage("--fixSplit: baseM and baseN in sixteens, baseK in 32 bytes");
    }
  }
  request.cores = options.cores != 0 ? options.cores : soc.aic_cores;
  request.multi_core = true;
  request.has_bias = options.bias;
  request.l1 = soc.size_of(Space::kL1);
  request.l0a = soc.size_of(Space::kL0A);
  request.l0b = soc.size_of(Space::kL0B);
  request.l0c = soc.size_of(Space::kL0C);
  request.ub = soc.size_of(Space::kUb);
  request.bias_table = soc.size_of(Space::kBt);
  MatmulTilingData tiling{};
  if (const char* wrong = matmul_tiling(request, tiling)) {
    throw usage(fmt::format("GetTiling: {}", wrong));
  }
  return tiling;
}

std::vector<std::string> parameters_of(const MatmulOptions& options, DType type, const Soc& soc) {
  std::vector<std::string> parameters{
      std::string(soc.name), std::string(name_of(type)),
      fmt::format("M, N, K {},{},{}", options.shape[0], options.shape[1], options.shape[2]),
      fmt::format("cores {}", options.cores != 0 ? options.cores : soc.aic_cores)};
  if (!options.base.empty()) {
    parameters.push_back(
        fmt::format("SetFixSplit {},{},{}", options.base[0], options.base[1], options.base[2]));
  }
  if (options.bias) parameters.emplace_back("bias");
  if (options.trans_a) parameters.emplace_back("A transposed");
  if (options.trans_b) parameters.emplace_back("B transposed");
  return parameters;
}

std::string picture_of_tiling(const MatmulOptions& options, DType type, const Soc& soc) {
  const MatmulTilingData tiling = tiling_of(options, type, soc);
  const Axes axes = axes_of(tiling);
  Picture picture("Matmul: how GetTiling cuts M, N and K", parameters_of(options, type, soc),
                  "A times B is C, with the parts of the cores and the blocks of each.");
  draw_product(picture,
               {axes.m.pixels, axes.n.pixels, axes.k.pixels, "A: M x K", "B: K x N", "C: M x N"},
               [&](char matrix, int x, int y) {
                 draw_matrix(picture.svg(), matrix, x, y, matrix == 'B' ? axes.k : axes.m,
                             matrix == 'A' ? axes.k : axes.n);
               });
  picture.legend({{colour(0).pale, kLine, "parts of cores"}, {colour(2).pale, kLine, "the next"}});
  picture.note(axis_text("M", axes.m));
  picture.note(axis_text("N", axes.n));
  picture.note(axis_text("K", axes.k));
  picture.note(fmt::format("{} cores; tiles go along {} first.", tiling.usedCoreNum,
                           tiling.iterateOrder == 1 ? "N" : "M"));
  return picture.document();
}

}  // namespace vinci::cli
