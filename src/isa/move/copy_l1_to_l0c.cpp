// copy_l1_to_l0c: bursts of datablocks from L1 into L0C, bits unchanged.
//
// Sources and decisions: docs/spec/copy_l1_to_l0c.md.
#include <cstring>

#include "core/instruction.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

constexpr uint64_t kBlockBytes = 32;

constexpr Signature kTypes[] = {DType::kHalf, DType::kBfloat16, DType::kInt32, DType::kUint32,
                                DType::kFloat};
constexpr Support kSupport[] = {{kArch2201, kTypes}};

Signature signature(const DataCopyRecord& record) { return record.dst.dtype; }

uint64_t burst_bytes(const DataCopyRecord& record) { return record.bursts.length * kBlockBytes; }
uint64_t src_pitch(const DataCopyRecord& record) {
  return burst_bytes(record) + record.bursts.src_gap * kBlockBytes;
}
uint64_t dst_pitch(const DataCopyRecord& record) {
  return burst_bytes(record) + record.bursts.dst_gap * kBlockBytes;
}

void check(const DataCopyRecord& record, Check& check) {
  check.in_space("src", record.src, Space::kL1);
  check.in_space("dst", record.dst, Space::kL0C);
  if (!check.ok()) return;
  check.aligned("src", record.src);
  check.aligned("dst", record.dst);
  check.range("n_burst", record.bursts.blocks, 0, 4095);
}

void footprint(const DataCopyRecord& record, Footprint& footprint) {
  footprint.add_blocks(record.src, "src", Access::kRead, 0, burst_bytes(record),
                       record.bursts.blocks, int64_t(src_pitch(record)));
  footprint.add_blocks(record.dst, "dst", Access::kWrite, 0, burst_bytes(record),
                       record.bursts.blocks, int64_t(dst_pitch(record)));
}

void run(const DataCopyRecord& record, const State&, Memory& memory) {
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst);
  for (uint64_t burst = 0; burst < record.bursts.blocks; ++burst) {
    std::memcpy(dst + burst * dst_pitch(record), src + burst * src_pitch(record),
                burst_bytes(record));
  }
}

constexpr Functions<DataCopyRecord> kFunctions{.signature = signature,
                                               .pipe = Pipe::kMte1,
                                               .check = check,
                                               .footprint = footprint,
                                               .run = run,
                                               .moves = true};

}  // namespace

extern constinit const Instruction copy_l1_to_l0c =
    make_instruction<kFunctions>("copy_l1_to_l0c", "asc_copy_l12l0c", "asc_copy_l12l0c", kSupport);

}  // namespace vinci::isa
