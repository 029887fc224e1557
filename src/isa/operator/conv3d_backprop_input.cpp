// conv3d_backprop_input: tiles of the gradient of a convolution's input, as a Conv3DBackpropInput
// object asks for them, one at a time. It is a convolution, too, of the gradient of the output,
// whose elements lie as far apart as the stride says, with the kernel turned round;
// conv3d_product.h has the loads, multiplications and copies that make one.
//
// Sources and decisions: docs/spec/conv3d_backprop_input.md.
#include <algorithm>

#include "core/instruction.h"
#include "isa/operator/conv3d_backprop_tiling.h"
#include "isa/operator/conv3d_check.h"
#include "isa/operator/conv3d_product.h"
#include "isa/operator/conv3d_tile.h"
#include "numeric/whole.h"

namespace vinci::isa {
namespace {

using Call = Conv3dTileRecord::Call;
using BpInput = Conv3dBpInputRecord;

constexpr DType kH = DType::kHalf, kBf = DType::kBfloat16;
constexpr Signature kTypes[] = {{kH, kH, kH}, {kBf, kBf, kBf}};
constexpr Support kSupport[] = {{kArch2201, kTypes, true, kAscendC}};

constexpr int64_t kC0 = conv3d::kC0;

Signature signature(const BpInput& r) {
  return {r.output.dtype, r.weight.dtype, r.grad_output.dtype};
}

// The part of the core, in rows of a plane and channels.
struct Part {
  int64_t first_row, rows, channels, summed;  // summed: channels of the output
};
Part part_of(const BpInput& r, const Conv3dShape& s) {
  const int64_t line = r.first_ho + conv3d::spread_pads(s.h).before;
  return {line * s.w.size, int64_t(r.single_m), int64_t(r.single_n),
          int64_t(r.single_k) / conv3d::points_of(s)};
}

int64_t tiles_along(int64_t size, uint32_t base) { return int64_t(ceil_div(uint64_t(size), base)); }

// Of a tile in L0C: those before its own, too, where it begins in the middle of a fractal.
uint32_t most_rows(const BpInput& r, const Conv3dShape& s) {
  const bool is_one = r.single_m <= r.tiling.baseM;
  if (is_one) return uint32_t(round_up(r.single_m, uint64_t{kC0}));
  return r.tiling.baseM + (s.w.size % kC0 == 0 ? 0 : uint32_t(kC0));
}

void check_part(const BpInput& r, const Conv3dShape& s, Check& check) {
  constexpr uint64_t most = INT64_MAX;
  const int64_t up = conv3d::spread_pads(s.h).before, points = conv3d::points_of(s);
  const int64_t line = r.first_ho + up;
  check.range("singleCoreDin", r.tiling.singleCoreDin, 1, s.d.size);
  check.range("curHoStartIdx", r.first_ho, -up, s.h.size - 1 - up);
  if (!check.ok()) return;
  check.range("curDinStartIdx", r.first_din, 0, s.d.size - r.tiling.singleCoreDin);
  check.range("singleShapeM, in rows from curHoStartIdx on,", int64_t(std::min(r.single_m, most)),
              1, (s.h.size - line) * s.w.size);
  check.range("singleShapeK", int64_t(std::min(r.single_k, most)), points,
              points * conv3d::blocks_of(s.co) * kC0);
  check.range("singleShapeN", int64_t(r.single_n), 1, conv3d::blocks_of(s.ci) * kC0);
  if (check.ok()) check.multiple("singleShapeK", int64_t(r.single_k), points);
  check.range("Hin * Win", s.h.size * s.w.size, 1, UINT32_MAX);  // a stride of Fixpipe
}

void check(const BpInput& r, Check& check) {
  if (!conv3d::check_calls(r,
                           {{"SetWeight", "Weight", r.has_weight, r.weight},
                            {"SetGradOutput", "GradOutput", r.has_grad_output, r.grad_output}},
                           "GradInput", check)) {
    return;
  }
  if (r.is_ncdhw) {
    return check.unimplemented("GradInput in NCDHW, which the documents have in an example alone",
                               "NDC1HWC0");
  }
  const Conv3dBpInputTilingData& t = r.tiling;
  const Conv3dShape s = conv3d::shape_of(t);
  const auto report = [&](Code code, std::string text, std::string legal) {
    check.fail(code, std::move(text), std::move(legal));
  };
  if (!conv3d::check_shape(s, "padFront", "padBack", report) || !conv3d::check_spread(s, report)) {
    return;
  }
  conv3d::check_derived({{"dout", t.dout, s.d.positions()},
                         {"ho", t.ho, s.h.positions()},
                         {"wo", t.wo, s.w.positions()},
                         {"backpropPadUp", t.backpropPadUp, conv3d::spread_pads(s.h).before}},
                        check);
  if (!check.ok()) return;
  check_part(r, s, check);
  if (!check.ok()) return;
  conv3d::check_tiles({"GradOutput", "Weight", "GradInput"}, {"baseM", t.baseM}, {"baseK", t.baseK},
                      {"baseN", t.baseN}, most_rows(r, s), check);
}

Conv3dTask task_of(const BpInput& r) {
  Conv3dTask task;
  task.api = "Conv3DBackpropInput";
  task.shape = conv3d::shape_of(r.tiling);
  task.is_gradient = true;
  task.map = spread_map(r.grad_output, task.shape);
  task.weight = r.weight;
  task.output = r.output;
  const Part part = part_of(r, task.shape);
  task.planes = conv3d::blocks_of(part.summed);
  task.first_depth = r.first_din;
  task.first_row = part.first_row;
  task.rows = part.rows;
  task.channels = part.channels;
  task.k_l0 = r.tiling.baseK;
  task.n_l0 = r.tiling.baseN;
  task.k_l1 = int64_t(r.tiling.stepKa) * r.tiling.baseK;
  task.object = r.object;
  return task;
}

// Tiles go along the rows first, then along the channels, then to the next slice.
void expand(const BpInput& r, Core& core) {
  if (r.call == Call::kEnd) return;
  const Conv3dBpInputTilingData& t = r.tiling;
  const Conv3dTask task = task_of(r);
  const int64_t along_m = tiles_along(task.rows, t.baseM);
  const int64_t in_slice = along_m * tiles_along(task.channels, t.baseN);
  const auto number = int64_t(r.tile);
  if (number >= in_slice * t.singleCoreDin) return;
  Conv3dProduct product(task, core);
  if (!product.has_room(most_rows(r, task.shape))) return;
  const auto tile = product.tile_at(number / in_slice, task.first_row + number % along_m * t.baseM,
                                    t.baseM, number % in_slice / along_m * t.baseN, number);
  make_tile(r, product, tile, core);
}

constexpr Functions<BpInput> kFunctions{
    .signature = signature, .pipe = Pipe::kS, .check = check, .expand = expand};

}  // namespace

extern constinit const Instruction conv3d_backprop_input = make_instruction<kFunctions>(
    "conv3d_backprop_input", "Conv3DBackpropInput", "Conv3DBackpropInput", kSupport);

}  // namespace vinci::isa
