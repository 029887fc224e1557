// conv3d_backprop_filter: tiles of the gradient of a convolution's weights, as a
// Conv3DBackpropFilter object asks for them, one at a time; conv3d_filter_product.h has the loads,
// multiplications and copies that make one.
//
// Sources and decisions: docs/spec/conv3d_backprop_filter.md.
#include <algorithm>

#include "core/instruction.h"
#include "isa/operator/conv3d_backprop_tiling.h"
#include "isa/operator/conv3d_check.h"
#include "isa/operator/conv3d_filter_product.h"
#include "isa/operator/conv3d_tile.h"

namespace vinci::isa {
namespace {

using Call = Conv3dTileRecord::Call;
using BpFilter = Conv3dBpFilterRecord;

constexpr DType kF = DType::kFloat, kH = DType::kHalf, kBf = DType::kBfloat16;
constexpr Signature kTypes[] = {{kF, kH, kH}, {kF, kBf, kBf}};
constexpr Support kSupport[] = {{kArch2201, kTypes, true, kAscendC}};

Signature signature(const BpFilter& r) {
  return {r.output.dtype, r.input.dtype, r.grad_output.dtype};
}

void check_part(const BpFilter& r, const Conv3dShape& s, Check& check) {
  const auto number = [](uint64_t value) { return int64_t(std::min(value, uint64_t{INT64_MAX})); };
  const int64_t points = conv3d::points_of(s), line = s.w.positions();
  const int64_t rows = conv3d::blocks_of(s.co) * conv3d::kC0;
  const int64_t columns = conv3d::blocks_of(s.ci) * conv3d::kC0 * points;
  check.range("hoStartIdx", number(r.first_ho), 0, s.h.positions() - 1);
  check.range("singleCoreM", number(r.single_m), 1, rows);
  check.range("singleCoreN", number(r.single_n), points, columns);
  if (!check.ok()) return;
  check.multiple("singleCoreN", number(r.single_n), points);
  check.range("singleCoreK, in rows from hoStartIdx on,", number(r.single_k), line,
              (s.h.positions() - number(r.first_ho)) * line);
  if (check.ok()) check.multiple("singleCoreK", number(r.single_k), line);
}

void check(const BpFilter& r, Check& check) {
  if (!conv3d::check_calls(r,
                           {{"SetInput", "Input", r.has_input, r.input},
                            {"SetGradOutput", "GradOutput", r.has_grad_output, r.grad_output}},
                           "GradWeight", check)) {
    return;
  }
  const Conv3dBpFilterTilingData& t = r.tiling;
  const Conv3dShape s = conv3d::shape_of(t);
  const auto report = [&](Code code, std::string text, std::string legal) {
    check.fail(code, std::move(text), std::move(legal));
  };
  if (!conv3d::check_shape(s, "padFront", "padBack", report)) return;
  conv3d::check_derived({{"dout", t.dout, s.d.positions()},
                         {"ho", t.ho, s.h.positions()},
                         {"wo", t.wo, s.w.positions()}},
                        check);
  if (!check.ok()) return;
  check_part(r, s, check);
  conv3d::check_tiles({"GradOutput", "Input", "GradWeight"}, {"baseM", t.baseM}, {"baseK", t.baseK},
                      {"baseN", t.baseN}, t.baseM, check);
}

// Tiles go along the channels of the output first.
void expand(const BpFilter& r, Core& core) {
  if (r.call == Call::kEnd) return;
  Conv3dFilterProduct product(r, core);
  if (int64_t(r.tile) >= product.tiles() || !product.has_room()) return;
  const auto tile = product.tile_at(int64_t(r.tile));
  make_tile(r, product, tile, core);
}

constexpr Functions<BpFilter> kFunctions{
    .signature = signature, .pipe = Pipe::kS, .check = check, .expand = expand};

}  // namespace

extern constinit const Instruction conv3d_backprop_filter = make_instruction<kFunctions>(
    "conv3d_backprop_filter", "Conv3DBackpropFilter", "Conv3DBackpropFilter", kSupport);

}  // namespace vinci::isa
