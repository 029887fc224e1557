// gemm: a product of two matrices in L1 as a kernel would write it. It computes nothing itself: it
// issues the loads, multiplications and copies of tiled_product.h, with A loaded as fractals.
//
// Sources and decisions: docs/spec/gemm.md.
#include <fmt/format.h>

#include "core/core.h"
#include "core/instruction.h"
#include "isa/operator/gemm_tiling.h"
#include "isa/operator/tile.h"
#include "isa/operator/tiled_product.h"
#include "kernel/fractal.h"
#include "vinci/record/cube.h"

namespace vinci::isa {

extern const Instruction load_data_2d;

namespace {

using fractal::kBytes;

constexpr Signature kTypes[] = {{DType::kInt32, DType::kInt8, DType::kInt8},
                                {DType::kFloat, DType::kHalf, DType::kHalf},
                                {DType::kHalf, DType::kHalf, DType::kHalf}};
constexpr Support kSupport[] = {{kArch1001 | kArch2002, kTypes, true, kAscendC}};

Signature signature(const GemmRecord& record) {
  return {record.dst.dtype, record.src0.dtype, record.src1.dtype};
}
// The operator itself is scalar code; what it issues has pipes and regions of its own.

bool accumulates(const GemmRecord& record) {
  return record.init_value == (record.as_documented ? 0 : 1);
}
bool is_in_ub(const GemmRecord& record) { return record.dst.position == Position::CO2; }

constexpr ProductNames kNames{"Gemm",
                              "dst",
                              "src0",
                              "src1",
                              "partialsum",
                              "m rounded up to 16 times k rounded up to C0",
                              "k rounded up to C0 times n rounded up to 16",
                              "m times n, both rounded up to 16"};

TiledProduct product_of(const GemmRecord& record) {
  const GemmTiling& t = record.tiling;
  return {kNames,
          record.dst,
          record.src0,
          record.src1,
          uint64_t(t.mBlockNum) * t.kBlockNum * kBytes,
          uint64_t(t.nBlockNum) * t.kBlockNum * kBytes,
          record.k,
          product::tiling_from(t),
          accumulates(record),
          record.as_documented && record.partial_sum};
}

// What is added to and where it goes depends on whether documents or library are right.
void tell_reading(const GemmRecord& record, Check& check) {
  if (record.as_documented) return;
  const char* const legal = "VINCI_GEMM_AS_DOCUMENTED defined, to have it as documented";
  if (accumulates(record)) {
    check.warn(Code::kInitYReversed,
               "initValue 1 adds to dst, as in the running library; the documents say the reverse",
               legal);
  } else if (is_in_ub(record) && record.partial_sum) {
    check.warn(Code::kInitYReversed,
               "partialsum is true, and the result goes to dst all the same, as in the running "
               "library; by the documents it stays in L0C",
               legal);
  }
}

void check(const GemmRecord& record, Check& check) {
  const product::Report report = [&](Code code, std::string text, std::string legal) {
    check.fail(code, std::move(text), std::move(legal));
  };
  const TiledProduct product = product_of(record);
  const DType type = record.src0.dtype;
  check_places(product, check);
  check.range("initValue", record.init_value, 0, 1);
  if (!check.ok() || !gemm::check_sizes(record.m, record.k, record.n, type, report) ||
      !gemm::check_tiling(record.tiling, record.m, record.k, record.n, type, report)) {
    return;
  }
  check_sizes(product, check);
  if (!check.ok()) return;
  check_partial_sums(product, check);
  tell_reading(record, check);
}

// From zN with all rows to zZ: a row of fractals with each load, or all of one column.
void load_a(const GemmRecord& record, const Operand& l0a, Blocks rows, Blocks columns, Core& core) {
  const uint32_t pitch = record.tiling.mBlockNum;  // from a fractal to the next of its row
  const bool one_column = columns.count == 1;
  LoadData2DRecord load{{&load_data_2d}, l0a, record.src0, 0, 1, 0, 0, 0, false};
  load.src_stride = uint16_t(one_column ? 1 : pitch);
  load.repeats = uint8_t(one_column ? rows.count : columns.count);
  for (uint32_t row = 0; row < (one_column ? 1 : rows.count); ++row) {
    load.start_index = uint16_t(columns.first * pitch + rows.first + row);
    load.dst = part_of(l0a, row * columns.count * kBytes);
    core.issue(load);
  }
}

void expand(const GemmRecord& record, Core& core) {
  expand(
      product_of(record),
      [&](const Operand& l0a, Blocks rows, Blocks columns) {
        load_a(record, l0a, rows, columns, core);
      },
      core);
}

constexpr Functions<GemmRecord> kFunctions{
    .signature = signature, .pipe = Pipe::kS, .check = check, .expand = expand};

}  // namespace

extern constinit const Instruction gemm =
    make_instruction<kFunctions>("gemm", "Gemm", "Gemm", kSupport);

}  // namespace vinci::isa
