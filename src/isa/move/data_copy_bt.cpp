// data_copy_bt: L1 to the bias table, half widened to float on the way.
//
// blockLen counts 64 B of the source, srcStride 32 B and dstStride 64 B, both from the end of a
// burst to the start of the next. Sources and decisions: docs/spec/data_copy_bt.md.
#include <cstring>

#include "core/instruction.h"
#include "core/operator_support.h"
#include "isa/move/table_bursts.h"
#include "kernel/half_array.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

constexpr uint64_t kUnit = 64;
constexpr uint64_t kSrcGapUnit = 32;

constexpr Signature kTypes[] = {
    {DType::kFloat, DType::kFloat}, {DType::kInt32, DType::kInt32}, {DType::kFloat, DType::kHalf}};
constexpr Support kSupport[] = {{kArch2201, kTypes}, {kArch3002, kTypes, true, kOperator}};

Signature signature(const DataCopyRecord& record) { return {record.dst.dtype, record.src.dtype}; }

Bursts bursts_of(const DataCopyRecord& record) { return table::bursts_of(record, kUnit); }
uint64_t burst_bytes(const DataCopyRecord& record) { return bursts_of(record).length * kUnit; }
uint64_t written_bytes(const DataCopyRecord& record) {
  return burst_bytes(record) * bits_of(record.dst.dtype) / bits_of(record.src.dtype);
}
uint64_t src_pitch(const DataCopyRecord& record) {
  return burst_bytes(record) + bursts_of(record).src_gap * kSrcGapUnit;
}
uint64_t dst_pitch(const DataCopyRecord& record) {
  return written_bytes(record) + bursts_of(record).dst_gap * kUnit;
}

void check(const DataCopyRecord& record, Check& check) {
  check.in_space("src", record.src, Space::kL1);
  check.in_space("dst", record.dst, Space::kBt);
  if (!check.ok()) return;
  check.aligned("src", record.src);
  check.aligned("dst", record.dst);
  table::check(record, kUnit, check);
}

void footprint(const DataCopyRecord& record, Footprint& footprint) {
  footprint.add_blocks(record.src, "src", Access::kRead, 0, burst_bytes(record),
                       bursts_of(record).blocks, int64_t(src_pitch(record)));
  footprint.add_blocks(record.dst, "dst", Access::kWrite, 0, written_bytes(record),
                       bursts_of(record).blocks, int64_t(dst_pitch(record)));
}

void run(const DataCopyRecord& record, const State&, Memory& memory) {
  for (uint64_t block = 0; block < bursts_of(record).blocks; ++block) {
    const uint8_t* src = memory.data(record.src) + block * src_pitch(record);
    uint8_t* dst = memory.data(record.dst) + block * dst_pitch(record);
    if (record.src.dtype == DType::kHalf) {
      floats_of_halves(reinterpret_cast<const uint16_t*>(src), reinterpret_cast<float*>(dst),
                       burst_bytes(record) / sizeof(uint16_t));
    } else {
      std::memcpy(dst, src, burst_bytes(record));
    }
  }
}

constexpr Functions<DataCopyRecord> kFunctions{.signature = signature,
                                               .pipe = Pipe::kMte1,
                                               .check = check,
                                               .footprint = footprint,
                                               .run = run};

}  // namespace

extern constinit const Instruction data_copy_bt =
    make_instruction<kFunctions>("data_copy_bt", "DataCopy (to C2)", "DataCopy", kSupport);

}  // namespace vinci::isa
