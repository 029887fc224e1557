// data_copy_fb: L1 to the buffer of the fixed pipe, 64-bit words unchanged.
//
// blockLen counts 128 B. srcStride (32 B) and dstStride (128 B) are from start to start: 0 repeats
// the first burst, or overwrites it. Sources and decisions: docs/spec/data_copy_fb.md.
#include <cstring>

#include "core/instruction.h"
#include "isa/move/table_bursts.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

constexpr uint64_t kUnit = 128;
constexpr uint64_t kSrcStrideUnit = 32;

constexpr Signature kTypes[] = {{DType::kUint64, DType::kUint64}};
constexpr Support kSupport[] = {{kArch2201, kTypes}};

Signature signature(const DataCopyRecord& record) { return {record.dst.dtype, record.src.dtype}; }

void check(const DataCopyRecord& record, Check& check) {
  check.in_space("src", record.src, Space::kL1);
  check.in_space("dst", record.dst, Space::kFb);
  if (!check.ok()) return;
  check.aligned("src", record.src);
  check.aligned("dst", record.dst, kUnit);
  table::check(record, kUnit, check);
}

void footprint(const DataCopyRecord& record, Footprint& footprint) {
  const Bursts bursts = table::bursts_of(record, kUnit);
  footprint.add_blocks(record.src, "src", Access::kRead, 0, bursts.length * kUnit, bursts.blocks,
                       int64_t(bursts.src_gap * kSrcStrideUnit));
  footprint.add_blocks(record.dst, "dst", Access::kWrite, 0, bursts.length * kUnit, bursts.blocks,
                       int64_t(bursts.dst_gap * kUnit));
}

void run(const DataCopyRecord& record, const State&, Memory& memory) {
  const Bursts bursts = table::bursts_of(record, kUnit);
  for (uint64_t block = 0; block < bursts.blocks; ++block) {
    std::memcpy(memory.data(record.dst) + block * bursts.dst_gap * kUnit,
                memory.data(record.src) + block * bursts.src_gap * kSrcStrideUnit,
                bursts.length * kUnit);
  }
}

constexpr Functions<DataCopyRecord> kFunctions{
    .signature = signature, .pipe = Pipe::kFix, .check = check, .footprint = footprint, .run = run};

}  // namespace

extern constinit const Instruction data_copy_fb =
    make_instruction<kFunctions>("data_copy_fb", "DataCopy (to C2PIPE2GM)", "DataCopy", kSupport);

}  // namespace vinci::isa
