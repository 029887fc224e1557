// data_copy_tscm: a row-major matrix in UB to zN in TSCM. It issues the copies of which the library
// makes it: rows to GM, and from there DataCopy from ND to NZ.
//
// Sources and decisions: docs/spec/data_copy_tscm.md.
#include <algorithm>

#include <fmt/format.h>

#include "isa/operator/tile.h"
#include "isa/operator/tscm_passage.h"
#include "numeric/whole.h"

namespace vinci::isa {

extern const Instruction data_copy_pad;

namespace {

constexpr Signature kTypes[] = {DType::kInt8,   DType::kUint8,    DType::kInt16,
                                DType::kUint16, DType::kInt32,    DType::kUint32,
                                DType::kHalf,   DType::kBfloat16, DType::kFloat};
constexpr Support kSupport[] = {{kArch2201, kTypes, true, kAscendC}};

constexpr uint64_t kBlockBytes = 32;
constexpr uint32_t kMostBursts = 4095;  // of DataCopyPad

Signature signature(const CopyToTscmRecord& record) { return record.dst.dtype; }

// Bytes of a row, and from a row to the next in UB.
uint64_t row_bytes(const CopyToTscmRecord& record) {
  return bytes_of(record.src.dtype, record.columns);
}
uint64_t pitch_of(const CopyToTscmRecord& record) {
  return bytes_of(record.src.dtype, record.src_row_stride);
}

// From the first byte in UB to the last.
uint64_t bytes_in_ub(const CopyToTscmRecord& record) {
  return (record.rows - 1) * pitch_of(record) + row_bytes(record);
}

void check(const CopyToTscmRecord& record, Check& check) {
  check_to_tscm(record, check);
  if (check.ok()) check_extents(record, bytes_in_ub(record), check);
}

// In the library fractals are made in UB, behind what InitBuffer has handed out.
bool has_room(const CopyToTscmRecord& record, Core& core) {
  const uint64_t needed = bytes_in_tscm(record);
  const uint64_t unused = core.buffers().for_operator(Position::VECCALC).bytes;
  if (needed <= unused) return true;
  core.report(Code::kOutOfBuffer,
              fmt::format("{}: it takes {} bytes of UB for itself, and {} are left", core.who(),
                          needed, unused),
              "((dValue * sizeof(T) / 32 - 1) * dstNzC0Stride + (nValue - 1) * dstNzNStride + 1) * "
              "32 bytes that InitBuffer has not handed out");
  return false;
}

void to_gm(const Operand& src, const Operand& gm, uint32_t bursts, uint64_t length, uint64_t gap,
           Core& core) {
  DataCopyPadRecord copy;
  copy.instruction = &data_copy_pad;
  copy.src = src;
  copy.dst = gm;
  copy.blocks = uint16_t(bursts);
  copy.length = uint32_t(length);
  copy.src_gap = uint32_t(gap / kBlockBytes);
  core.issue(copy);
}

// Rows that begin at datablocks come to lie one behind the other; others are copied with what lies
// between them.
void expand(const CopyToTscmRecord& record, Core& core) {
  if (!has_room(record, core)) return;
  const uint64_t length = row_bytes(record), pitch = pitch_of(record);
  const uint64_t whole = round_up(length, kBlockBytes);
  const bool by_rows = record.rows == 1 || (pitch % kBlockBytes == 0 && pitch >= whole);
  const uint64_t bytes = by_rows ? record.rows * length : bytes_in_ub(record);
  const Operand gm = passage(record, bytes, core);
  if (gm.dtype == DType::kNone) return;
  if (!by_rows) {
    to_gm(record.src, gm, 1, bytes, 0, core);
    return copy_on(record, gm, record.src_row_stride, core);
  }
  for (uint32_t row = 0; row < record.rows; row += kMostBursts) {
    to_gm(part_of(record.src, row * pitch), part_of(gm, row * length),
          std::min<uint32_t>(kMostBursts, record.rows - row), length,
          record.rows == 1 ? 0 : pitch - whole, core);
  }
  copy_on(record, gm, record.columns, core);
}

constexpr Functions<CopyToTscmRecord> kFunctions{
    .signature = signature, .pipe = tscm_pipe, .check = check, .expand = expand};

}  // namespace

extern constinit const Instruction data_copy_tscm =
    make_instruction<kFunctions>("data_copy_tscm", "DataCopy (UB to TSCM)", "DataCopy", kSupport);

}  // namespace vinci::isa
