// data_copy_pad_tscm: bursts from UB to GM, and from there a matrix to zN in TSCM. It issues
// DataCopyPad, and DataCopy from ND to NZ.
//
// Sources and decisions: docs/spec/data_copy_tscm.md.
#include <fmt/format.h>

#include "isa/operator/tscm_passage.h"
#include "numeric/whole.h"

namespace vinci::isa {

extern const Instruction data_copy_pad;

namespace {

constexpr Signature kTypes[] = {DType::kInt8,  DType::kUint8,    DType::kInt16, DType::kUint16,
                                DType::kHalf,  DType::kBfloat16, DType::kInt32, DType::kUint32,
                                DType::kFloat, DType::kInt64,    DType::kUint64};
constexpr Support kSupport[] = {{kArch2201, kTypes, true, kAscendC}};

constexpr uint64_t kBlockBytes = 32;

Signature signature(const CopyToTscmRecord& record) { return record.dst.dtype; }

// From the first byte in GM, or in UB, to the last.
uint64_t bytes_in_gm(const CopyToTscmRecord& record) {
  return uint64_t(record.blocks - 1) * (uint64_t(record.length) + record.dst_gap) + record.length;
}

uint64_t bytes_in_ub(const CopyToTscmRecord& record) {
  const uint64_t pitch =
      round_up(uint64_t{record.length}, kBlockBytes) + uint64_t{record.src_gap} * kBlockBytes;
  return uint64_t(record.blocks - 1) * pitch + record.length;
}

void check(const CopyToTscmRecord& record, Check& check) {
  check_to_tscm(record, check);
  check.range("blockCount", record.blocks, 1, 4095);
  check.range("blockLen", record.length, 1, 2097151);
  check.multiple("blockLen", record.length, int64_t(bytes_of(record.src.dtype, 1)));
  if (!check.ok()) return;
  const uint64_t matrix = bytes_of(
      record.src.dtype, uint64_t(record.rows - 1) * record.src_row_stride + record.columns);
  if (matrix <= bytes_in_gm(record)) return check_extents(record, bytes_in_ub(record), check);
  check.fail(
      Code::kCombination,
      fmt::format("{} rows of {} elements, {} apart, reach to byte {} of {} that the bursts "
                  "take in GM",
                  record.rows, record.columns, record.src_row_stride, matrix, bytes_in_gm(record)),
      "nValue, dValue and srcDValue of a matrix that blockCount, blockLen and dstStride hold");
}

void expand(const CopyToTscmRecord& record, Core& core) {
  const Operand gm = passage(record, bytes_in_gm(record), core);
  if (gm.dtype == DType::kNone) return;
  DataCopyPadRecord copy;
  copy.instruction = &data_copy_pad;
  copy.src = record.src;
  copy.dst = gm;
  copy.blocks = record.blocks;
  copy.length = record.length;
  copy.src_gap = record.src_gap;
  copy.dst_gap = record.dst_gap;
  core.issue(copy);
  copy_on(record, gm, record.src_row_stride, core);
}

constexpr Functions<CopyToTscmRecord> kFunctions{
    .signature = signature, .pipe = tscm_pipe, .check = check, .expand = expand};

}  // namespace

extern constinit const Instruction data_copy_pad_tscm = make_instruction<kFunctions>(
    "data_copy_pad_tscm", "DataCopyPad (UB to TSCM)", "DataCopyPad", kSupport);

}  // namespace vinci::isa
