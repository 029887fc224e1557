// What DataCopy and DataCopyPad from UB to TSCM share. Sources and decisions:
// docs/spec/data_copy_tscm.md.
#include "isa/operator/tscm_passage.h"

#include <fmt/format.h>

#include "isa/operator/event_flags.h"
#include "isa/operator/tile.h"
#include "kernel/fractal.h"
#include "numeric/whole.h"

namespace vinci::isa {

extern const Instruction data_copy_nd2nz;

namespace {

using fractal::kRowBytes;

constexpr HardEvent kEvents[] = {HardEvent::MTE3_MTE2, HardEvent::MTE2_MTE3};

bool has_identifiers(Core& core) {
  for (const HardEvent event : kEvents) {
    if (core.flags().free(uint32_t(event)) > 0) continue;
    core.report(Code::kEventId,
                fmt::format("{}: it takes an event identifier of {}, and none is free", core.who(),
                            event_of(event).name),
                "a ReleaseEventID first");
    return false;
  }
  return true;
}

void order(HardEvent event, Core& core) {
  EventFlags flag(core, event, 1);
  flag.set_and_wait(0);
  flag.release();
}

}  // namespace

void check_to_tscm(const CopyToTscmRecord& record, Check& check) {
  check.in_space("src", record.src, Space::kUb);
  if (record.dst.position != Position::TSCM) {
    check.fail(Code::kPosition, fmt::format("dst is in {}", name_of(record.dst.position)), "TSCM");
  }
  if (!check.ok()) return;
  check.aligned("src", record.src);
  check.aligned("dst", record.dst);
  check.range("ndNum", record.matrices, 1, 1);
  check.range("nValue", record.rows, 1, 16384);
  check.range("dValue", record.columns, 1, 65535);
  check.range("srcDValue", record.src_row_stride, 1, 65535);
  check.range("dstNzC0Stride", record.dst_c0_stride, 1, 16384);
  check.range("dstNzNStride", record.dst_row_stride, 1, 16384);
  check.range("dstNzMatrixStride", record.dst_matrix_stride, 0, 16384);
}

uint64_t bytes_in_tscm(const CopyToTscmRecord& record) {
  const uint64_t groups = ceil_div(bytes_of(record.src.dtype, record.columns), kRowBytes);
  return ((groups - 1) * record.dst_c0_stride + uint64_t(record.rows - 1) * record.dst_row_stride +
          1) *
         kRowBytes;
}

void check_extents(const CopyToTscmRecord& record, uint64_t src_bytes, Check& check) {
  check_extent("src", record.src, src_bytes, "all rows, or all bursts", check);
  check_extent("dst", record.dst, bytes_in_tscm(record),
               "((dValue * sizeof(T) / 32 - 1) * dstNzC0Stride + (nValue - 1) * dstNzNStride + 1) "
               "* 32 bytes",
               check);
}

Operand passage(const CopyToTscmRecord& record, uint64_t bytes, Core& core) {
  TscmPassage& way = core.registers().tscm_passage;
  if (!way.has_matmul) {
    core.report(Code::kCombination,
                fmt::format("{}: from UB to TSCM it takes the workspace of a Matmul, and this core "
                            "has begun none",
                            core.who()),
                "REGIST_MATMUL_OBJ before it, in a kernel for AICs and AIVs");
    return {};
  }
  if (!has_identifiers(core)) return {};
  if (way.buffer.dtype == DType::kNone || way.buffer.bytes < bytes) {
    way.buffer = core.own_buffer(round_up(bytes, 512));
  }
  Operand gm = way.buffer;
  gm.bytes = bytes;
  gm.dtype = record.src.dtype;
  return gm;
}

void copy_on(const CopyToTscmRecord& record, const Operand& gm, uint32_t row_stride, Core& core) {
  order(HardEvent::MTE3_MTE2, core);
  Nd2NzRecord matrix = record;
  matrix.instruction = &data_copy_nd2nz;
  matrix.src = gm;
  matrix.src_matrix_stride = matrix.dst_matrix_stride = 0;  // there is one
  matrix.src_row_stride = uint16_t(row_stride);
  core.issue(matrix);
  order(HardEvent::MTE2_MTE3, core);
}

}  // namespace vinci::isa
