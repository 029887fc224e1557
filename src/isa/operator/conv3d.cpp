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
#include "isa/operator/conv3d_product.h"
#include "numeric/dtype.h"
#include "vinci/record/conv3d.h"

namespace vinci::isa {
namespace {

using conv3d::kC0;

constexpr DType kH = DType::kHalf, kBf = DType::kBfloat16;
constexpr Signature kTypes[] = {{kH, kH, kH}, {kBf, kBf, kBf}};
constexpr Support kSupport[] = {{kArch2201, kTypes, true, kAscendC}};

constexpr const char* kGetTiling = "a tiling as GetTiling gives it";

Signature signature(const Conv3dRecord& r) {
  return {r.output.dtype, r.input.dtype, r.weight.dtype};
}

// In the order of calls that the documents have.
void check_calls(const Conv3dRecord& r, Check& check) {
  const auto missing = [&](std::string_view what, std::string_view before) {
    check.fail(Code::kCombination, fmt::format("{} without {} before it", before, what),
               fmt::format("{}, then {}", what, before));
  };
  if (r.ends) {
    if (r.iterations == 0) missing("IterateAll", "End");
  } else if (r.inits == 0) {
    missing("Init", "IterateAll");
  } else if (r.inits > 1) {
    check.fail(Code::kCombination, fmt::format("Init was called {} times", r.inits),
               "once for an object");
  } else if (!r.has_input) {
    missing("SetInput", "IterateAll");
  } else if (!r.has_weight) {
    missing("SetWeight", "IterateAll");
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

// What GetTiling has computed of the same tiling.
void check_output_sizes(const Conv3dTilingData& t, const Conv3dShape& s, Check& check) {
  const struct {
    const char* name;
    uint64_t value;
    int64_t wanted;
  } sizes[] = {{"orgDo", t.orgDo, s.d.positions()},
               {"orgHo", t.orgHo, s.h.positions()},
               {"orgWo", t.orgWo, s.w.positions()}};
  for (const auto& [name, value, wanted] : sizes) {
    if (value == uint64_t(wanted)) continue;
    check.fail(
        Code::kCombination,
        fmt::format("the tiling's {} is {}, and its other fields make it {}", name, value, wanted),
        kGetTiling);
  }
}

void check_tiles(const Conv3dTilingData& t, bool has_bias, Check& check) {
  for (const auto& [name, value] : {std::pair{"mL0", t.mL0}, {"kL0", t.kL0}, {"nL0", t.nL0}}) {
    check.range(name, value, kC0, 4095);
    check.multiple(name, value, kC0);
  }
  if (!check.ok()) return;
  check_fits("a tile of Input, mL0 * kL0,", uint64_t(t.mL0) * t.kL0 * 2, Space::kL0A, kGetTiling,
             check);
  check_fits("a tile of Weight, kL0 * nL0,", uint64_t(t.kL0) * t.nL0 * 2, Space::kL0B, kGetTiling,
             check);
  check_fits("a tile of Output, mL0 * nL0,", uint64_t(t.mL0) * t.nL0 * 4, Space::kL0C, kGetTiling,
             check);
  if (!has_bias) return;
  check_fits("the bias of a tile, nL0,", uint64_t(t.nL0) * 4, Space::kBt, kGetTiling, check);
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
  check_output_sizes(r.tiling, shape, check);
  check_tiles(r.tiling, r.has_bias, check);
  check_start(r, shape, part, check);
  if (check.registers().load_repeat.times == 1) return;
  check.fail(Code::kCombination, "SetLoadDataRepeat has left more than one repeat",
             "SetLoadDataRepeat({0, 1, 0}) before it");
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
  task.m_l0 = r.tiling.mL0;
  task.k_l0 = r.tiling.kL0;
  task.n_l0 = r.tiling.nL0;
  task.k_l1 = r.tiling.kAL1;
  return task;
}

// All tiles of a slice: M first, or N first. A tile that begins in the middle of a fractal has as
// many fewer rows of its own.
void run_plane(const Conv3dTask& task, bool n_first, int64_t depth, Conv3dProduct& product) {
  const int64_t end = task.first_row + task.rows, line = task.map.row_line();
  const auto run = [&](int64_t m, int64_t n) {
    const auto tile = product.tile_at(depth, m, task.m_l0 - uint32_t(m % line % kC0), n);
    product.multiply(tile);
    product.write(tile);
    return m + tile.rows.count;
  };
  if (!n_first) {
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
  if (!product.has_room(task.m_l0)) return;
  for (int64_t depth = 0; depth < int64_t(r.single_do); ++depth) {
    run_plane(task, r.tiling.iterateMNOrder != 0, depth, product);
  }
  product.end();
}

constexpr Functions<Conv3dRecord> kFunctions{
    .signature = signature, .pipe = Pipe::kS, .check = check, .expand = expand};

}  // namespace

extern constinit const Instruction conv3d =
    make_instruction<kFunctions>("conv3d", "Conv3D", "Conv3D", kSupport);

}  // namespace vinci::isa
