// broadcast_vec_to_mm: vectors of 16 elements in UB, each to the 16 rows of a fractal in L0C.
//
//   vector g of block b   source element b * (blockLen * 16 + srcGap * 32 B) + g * 16
//                         destination fractal b * (blockLen + dstGap) + g, every row
//
// Sources and decisions: docs/spec/broadcast_vec_to_mm.md.
#include <cstring>

#include "core/instruction.h"
#include "kernel/fractal.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

constexpr uint64_t kColumns = 16;

constexpr Signature kTypes[] = {DType::kHalf, DType::kInt32, DType::kFloat};
constexpr Support kSupport[] = {{kArch2002, kTypes}, {kArch1000 | kArch1001, kTypes, true, kTik}};

Signature signature(const BroadcastRecord& record) { return record.dst.dtype; }

uint64_t vector_bytes(const BroadcastRecord& record) {
  return bytes_of(record.dst.dtype, kColumns);
}
uint64_t fractal_bytes(const BroadcastRecord& record) {
  return fractal::kRows * vector_bytes(record);
}
uint64_t src_pitch(const BroadcastRecord& record) {
  return record.length * vector_bytes(record) + record.src_gap * fractal::kRowBytes;
}
uint64_t dst_pitch(const BroadcastRecord& record) {
  return (uint64_t(record.length) + record.dst_gap) * fractal_bytes(record);
}

void check(const BroadcastRecord& record, Check& check) {
  check.in_space("dstLocal", record.dst, Space::kL0C);
  check.in_space("srcLocal", record.src, Space::kUb);
  if (!check.ok()) return;
  check.aligned("dstLocal", record.dst, fractal_bytes(record));
  check.aligned("srcLocal", record.src);
  check.range("blockCount", record.blocks, 1, 255);
  check.range("blockLen", record.length, 1, 255);
}

void footprint(const BroadcastRecord& record, Footprint& footprint) {
  const auto blocks = uint64_t(record.blocks);
  footprint.add_blocks(record.src, "srcLocal", Access::kRead, 0,
                       record.length * vector_bytes(record), blocks, int64_t(src_pitch(record)));
  footprint.add_blocks(record.dst, "dstLocal", Access::kWrite, 0,
                       record.length * fractal_bytes(record), blocks, int64_t(dst_pitch(record)));
}

void run(const BroadcastRecord& record, const State&, Memory& memory) {
  const uint64_t bytes = vector_bytes(record);
  for (uint64_t block = 0; block < uint64_t(record.blocks); ++block) {
    const uint8_t* src = memory.data(record.src) + block * src_pitch(record);
    uint8_t* dst = memory.data(record.dst) + block * dst_pitch(record);
    for (uint64_t row = 0; row < uint64_t(record.length) * fractal::kRows; ++row) {
      std::memcpy(dst + row * bytes, src + row / fractal::kRows * bytes, bytes);
    }
  }
}

constexpr Functions<BroadcastRecord> kFunctions{
    .signature = signature, .pipe = Pipe::kV, .check = check, .footprint = footprint, .run = run};

}  // namespace

extern constinit const Instruction broadcast_vec_to_mm = make_instruction<kFunctions>(
    "broadcast_vec_to_mm", "BroadCastVecToMM", "BroadCastVecToMM", kSupport);

}  // namespace vinci::isa
