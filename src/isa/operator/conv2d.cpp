// conv2d: a convolution as a kernel would write it. It computes nothing itself: it issues the
// loads, multiplications and copies, with the flags between their pipes, that make one. It is a
// product of matrices (tiled_product.h) whose A is loaded as columns of an image.
//
// Sources and decisions: docs/spec/conv2d.md.
#include <fmt/format.h>

#include "core/core.h"
#include "core/instruction.h"
#include "isa/operator/conv2d_tiling.h"
#include "isa/operator/tile.h"
#include "isa/operator/tiled_product.h"
#include "kernel/fractal.h"
#include "vinci/record/conv2d.h"
#include "vinci/record/cube.h"

namespace vinci::isa {

extern const Instruction load_data_3d_v1;

namespace {

using fractal::kBytes;
using product::kBlock;

constexpr Signature kTypes[] = {{DType::kInt32, DType::kInt8, DType::kInt8},
                                {DType::kFloat, DType::kHalf, DType::kHalf},
                                {DType::kHalf, DType::kHalf, DType::kHalf}};
constexpr Support kSupport[] = {{kArch1001 | kArch2002, kTypes, true, kAscendC}};

Signature signature(const Conv2dRecord& record) {
  return {record.dst.dtype, record.feature_map.dtype, record.weight.dtype};
}
// The operator itself is scalar code; what it issues has pipes and regions of its own.

bool accumulates(const Conv2dRecord& record) {
  return record.params.initY == (record.init_y_as_documented ? 0u : 1u);
}

constexpr ProductNames kNames{"Conv2D",
                              "dstLocal",
                              "featureMap",
                              "weight",
                              "partialSum",
                              "C1 * H * W * C0",
                              "C1 * Kh * Kw * Cout * C0",
                              "Cout * round_howo, Ho * Wo rounded up to 16"};

TiledProduct product_of(const Conv2dRecord& record) {
  const Conv2dParams& params = record.params;
  const Conv2dTilling& t = record.tiling;
  const DType type = record.feature_map.dtype;
  return {kNames,
          record.dst,
          record.feature_map,
          record.weight,
          bytes_of(type, uint64_t(params.cin) * t.hi * t.wi),
          bytes_of(type, uint64_t(t.kNum) * params.cout),
          t.kNum,
          product::tiling_from(t),
          accumulates(record),
          params.partialSum != 0};
}

// Sums that are carried from call to call depend on what initY means.
void tell_reading(const Conv2dRecord& record, Check& check) {
  const bool leaves_sums = record.dst.position == Position::CO2 && record.params.partialSum != 0;
  if (record.init_y_as_documented || (!accumulates(record) && !leaves_sums)) return;
  check.warn(Code::kInitYReversed,
             fmt::format("initY {} {}, as in the running library; the documents say the reverse",
                         record.params.initY,
                         accumulates(record) ? "adds to dstLocal" : "overwrites dstLocal"),
             "VINCI_CONV2D_INITY_AS_DOCUMENTED defined, to have it as documented");
}

void check(const Conv2dRecord& record, Check& check) {
  const product::Report report = [&](Code code, std::string text, std::string legal) {
    check.fail(code, std::move(text), std::move(legal));
  };
  const DType type = record.feature_map.dtype;
  const TiledProduct product = product_of(record);
  check_places(product, check);
  if (!check.ok() || !conv2d::check_params(record.params, type, report) ||
      !conv2d::check_tiling(record.tiling, record.params, type, report)) {
    return;
  }
  check_sizes(product, check);
  if (!check.ok()) return;
  check_partial_sums(product, check);
  tell_reading(record, check);
}

LoadData3DV1Record described(const Conv2dRecord& record) {
  const Conv2dTilling& t = record.tiling;
  LoadData3DV1Record load;
  load.instruction = &load_data_3d_v1;
  load.src = record.feature_map;
  for (int i = 0; i < 4; ++i) load.pad[i] = uint8_t(record.params.padList[i]);
  load.l1_h = uint16_t(t.hi);
  load.l1_w = uint16_t(t.wi);
  load.stride_w = uint8_t(t.strideW);
  load.stride_h = uint8_t(t.strideH);
  load.filter_w = uint8_t(t.width);
  load.filter_h = uint8_t(t.height);
  load.dilation_w = uint8_t(t.dilationW);
  load.dilation_h = uint8_t(t.dilationH);
  return load;
}

// With window m at the point of the filter, and the channels, of block k.
void start_at(LoadData3DV1Record& load, const Conv2dRecord& record, uint32_t m, uint32_t k) {
  const Conv2dTilling& t = record.tiling;
  load.left_top_h = int16_t(m / t.wo * t.strideH - record.params.padList[2]);
  load.left_top_w = int16_t(m % t.wo * t.strideW - record.params.padList[0]);
  load.fetch_filter_w = uint8_t(k % t.width);
  load.fetch_filter_h = uint8_t(k / t.width % t.height);
  load.c1_index = uint16_t(k / t.width / t.height);
}

// zZ, by rows of fractals (repeatMode 0) or by columns (1): what takes fewer loads.
void load_a(const Conv2dRecord& record, const Operand& l0a, Blocks m, Blocks k, Core& core) {
  const uint32_t rows = m.count, columns = k.count;
  LoadData3DV1Record load = described(record);
  load.repeat_mode = columns < rows;
  load.jump_stride = uint8_t(columns);
  load.repeats = uint8_t(load.repeat_mode == 1 ? rows : columns);
  const uint32_t loads = load.repeat_mode == 1 ? columns : rows;
  for (uint32_t i = 0; i < loads; ++i) {
    const uint32_t row = load.repeat_mode == 1 ? 0 : i, column = load.repeat_mode == 1 ? i : 0;
    start_at(load, record, (m.first + row) * kBlock, k.first + column);
    load.dst = part_of(l0a, (row * columns + column) * kBytes);
    core.issue(load);
  }
}

void expand(const Conv2dRecord& record, Core& core) {
  expand(
      product_of(record),
      [&](const Operand& l0a, Blocks rows, Blocks columns) {
        load_a(record, l0a, rows, columns, core);
      },
      core);
}

constexpr Functions<Conv2dRecord> kFunctions{
    .signature = signature, .pipe = Pipe::kS, .check = check, .expand = expand};

}  // namespace

extern constinit const Instruction conv2d =
    make_instruction<kFunctions>("conv2d", "Conv2D", "Conv2D", kSupport);

}  // namespace vinci::isa
