// conv3d: a core's part of a convolution of volumes, as a Conv3D object asks for it. It computes
// nothing itself: it issues the loads, multiplications and copies, with the flags between their
// pipes, that make one.
//
//   for each slice of the output, and each tile of its rows and channels:
//     for each plane of channels, of the slices of the input under the kernel:
//       its lines, and the weights, to L1          DataCopy
//       windows -> L0A, weights -> L0B             LoadData 3D v2, LoadData 2D
//       the sums (+)= A * B, from 0 or the bias    Mmad
//     L0C -> GM                                    Fixpipe
//
// Sources and decisions: docs/spec/conv3d.md.
#include <algorithm>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/operator/conv3d_check.h"
#include "isa/operator/conv3d_product.h"
#include "numeric/dtype.h"
#include "vinci/record/conv3d.h"

namespace vinci::isa {
namespace {

using conv3d::kC0;

constexpr DType kH = DType::kHalf, kBf = DType::kBfloat16;
constexpr Signature kTypes[] = {{kH, kH, kH}, {kBf, kBf, kBf}};
constexpr Support kSupport[] = {{kArch2201, kTypes, true, kAscendC}};

Signature signature(const Conv3dRecord& r) {
  return {r.output.dtype, r.input.dtype, r.weight.dtype};
}

// In the order of calls that the documents have.
void check_calls(const Conv3dRecord& r, Check& check) {
  using conv3d::fail_missing;
  if (r.ends) {
    if (r.iterations == 0) fail_missing("IterateAll", "End", check);
  } else if (r.inits == 0) {
    fail_missing("Init", "IterateAll", check);
  } else if (r.inits > 1) {
    check.fail(Code::kCombination, fmt::format("Init was called {} times", r.inits),
               "once for an object");
  } else if (!r.has_input) {
    fail_missing("SetInput", "IterateAll", check);
  } else if (!r.has_weight) {
    fail_missing("SetWeight", "IterateAll", check);
  }
}

void check_tensors(const Conv3dRecord& r, Check& check) {
  check_address("Input", r.input, check);
  check_address("Weight", r.weight, check);
  check_address("Output", r.output, check);
  if (!r.has_bias) return;
  check_address("Bias", r.bias, check);
  const DType wanted = r.input.dtype == kH ? kH : DType::kFloat;
  if (r.bias.dtype == wanted) return;
  check.fail(Code::kCombination,
             fmt::format("a bias of {} beside an input of {}", name_of(r.bias.dtype),
                         name_of(r.input.dtype)),
             std::string(name_of(wanted)));
}

void check_tiling(const Conv3dTilingData& t, const Conv3dShape& s, bool has_bias, Check& check) {
  conv3d::check_derived({{"orgDo", int64_t(t.orgDo), s.d.positions()},
                         {"orgHo", int64_t(t.orgHo), s.h.positions()},
                         {"orgWo", int64_t(t.orgWo), s.w.positions()}},
                        check);
  conv3d::check_tiles({"Input", "Weight", "Output"}, {"mL0", t.mL0}, {"kL0", t.kL0}, {"nL0", t.nL0},
                      t.mL0, check);
  if (!check.ok() || !has_bias) return;
  check_fits("the bias of a tile, nL0,", uint64_t(t.nL0) * 4, Space::kBt,
             "a tiling as GetTiling gives it", check);
}

// Where the core's part begins.
void check_start(const Conv3dRecord& r, const Conv3dShape& s, const Conv3dPart& part,
                 Check& check) {
  const int64_t rows = s.h.positions() * s.w.positions();
  const int64_t padded = s.d.before + s.d.size + s.d.after;
  const int64_t used = (part.depth - 1) * s.d.stride + s.d.reach();
  check.range("diStartPos, among the slices of the padded input,", r.first_di, 0, padded - used);
  check.range("mStartPos", r.first_m, 0, rows - part.m);
  check.range("Hout * Wout", rows, 1, UINT32_MAX);  // a stride of Fixpipe
}

void check(const Conv3dRecord& r, Check& check) {
  check_calls(r, check);
  if (!check.ok() || r.ends) return;
  check_tensors(r, check);
  if (!check.ok()) return;
  constexpr uint64_t most = INT64_MAX;
  const Conv3dShape shape = conv3d::shape_of(r.tiling);
  const Conv3dPart part{int64_t(std::min(r.single_co, most)), int64_t(std::min(r.single_do, most)),
                        int64_t(std::min(r.single_m, most))};
  const auto report = [&](Code code, std::string text, std::string legal) {
    check.fail(code, std::move(text), std::move(legal));
  };
  if (!conv3d::check_shape(shape, "padHead", "padTail", report) ||
      !conv3d::check_part(shape, part, report)) {
    return;
  }
  check_tiling(r.tiling, shape, r.has_bias, check);
  check_start(r, shape, part, check);
  conv3d::check_one_repeat(check);
}

Conv3dTask task_of(const Conv3dRecord& r) {
  Conv3dTask task;
  task.api = "Conv3D";
  task.shape = conv3d::shape_of(r.tiling);
  task.map = input_map(r.input, task.shape);
  task.weight = r.weight;
  if (r.has_bias) task.bias = r.bias;
  task.output = r.output;
  task.planes = conv3d::blocks_of(task.shape.ci);
  task.first_depth = r.first_di;
  task.first_row = r.first_m;
  task.rows = int64_t(r.single_m);
  task.channels = int64_t(r.single_co);
  task.k_l0 = r.tiling.kL0;
  task.n_l0 = r.tiling.nL0;
  task.k_l1 = r.tiling.kAL1;
  return task;
}

// All tiles of a slice: M first, or N first. A tile that begins in the middle of a fractal has as
// many fewer rows of its own.
void run_plane(const Conv3dTask& task, const Conv3dTilingData& t, int64_t depth,
               Conv3dProduct& product) {
  const int64_t end = task.first_row + task.rows, line = task.map.row_line();
  const auto run = [&](int64_t m, int64_t n) {
    const auto tile = product.tile_at(depth, m, t.mL0 - uint32_t(m % line % kC0), n);
    product.multiply(tile);
    product.write(tile);
    return m + tile.rows.count;
  };
  if (t.iterateMNOrder == 0) {
    for (int64_t n = 0; n < task.channels; n += task.n_l0) {
      for (int64_t m = task.first_row; m < end;) m = run(m, n);
    }
    return;
  }
  for (int64_t m = task.first_row, next = m; m < end; m = next) {
    for (int64_t n = 0; n < task.channels; n += task.n_l0) next = run(m, n);
  }
}

void expand(const Conv3dRecord& r, Core& core) {
  if (r.ends) return;
  const Conv3dTask task = task_of(r);
  Conv3dProduct product(task, core);
  if (!product.has_room(r.tiling.mL0)) return;
  for (int64_t depth = 0; depth < int64_t(r.single_do); ++depth) {
    run_plane(task, r.tiling, depth, product);
  }
  product.end();
}

constexpr Functions<Conv3dRecord> kFunctions{
    .signature = signature, .pipe = Pipe::kS, .check = check, .expand = expand};

}  // namespace

extern constinit const Instruction conv3d =
    make_instruction<kFunctions>("conv3d", "Conv3D", "Conv3D", kSupport);

}  // namespace vinci::isa
