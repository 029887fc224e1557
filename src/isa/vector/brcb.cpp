// brcb: datablock 8r + j of dst is element 8r + j of src, over and over.
//
// Sources and decisions: docs/spec/brcb.md.
#include <algorithm>

#include "core/instruction.h"
#include "isa/family/block_repeats.h"
#include "isa/family/types.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;
using enum DType;

constexpr Signature kClassic[] = {kHalf, kInt16, kUint16, kFloat, kInt32, kUint32};
constexpr Signature kWithBfloat16[] = {kHalf, kBfloat16, kInt16, kUint16, kFloat, kInt32, kUint32};
constexpr Support kSupport[] = {
    {kArch2002, kClassic, true, kAscendC},
    {kArch2201, kWithBfloat16},
    {kArch3002, kWithBfloat16, true, kTik},
};

Signature signature(const BroadcastBlockRecord& record) { return record.dst.dtype; }

uint64_t src_bytes(const BroadcastBlockRecord& record) {
  return bytes_of(record.src.dtype, uint64_t(record.repeats) * kRepeatBlocks);
}

void check(const BroadcastBlockRecord& record, Check& check) {
  check_operand("dst", record.dst, check);
  check_operand("src0", record.src, check);
  check.range("repeatTime", record.repeats, 0, 255);
  if (check.ok() &&
      overlap(record.dst.address, blocks_end(record.dst, record.dst_stride, record.repeats),
              record.src.address, record.src.address + src_bytes(record))) {
    check.fail(Code::kOverlap, "dst and src0 overlap", "no overlap");
  }
}

void footprint(const BroadcastBlockRecord& record, Footprint& footprint) {
  footprint.add_bytes(record.src, "src0", Access::kRead, 0, src_bytes(record));
  add_block_repeats(footprint, record.dst, record.dst_stride, record.repeats);
}

template <class S>
void broadcast(const BroadcastBlockRecord& record, Memory& memory) {
  const auto* src = reinterpret_cast<const S*>(memory.data(record.src));
  uint8_t* dst = memory.data(record.dst);
  for (uint64_t repeat = 0; repeat < record.repeats; ++repeat) {
    for (unsigned j = 0; j < kRepeatBlocks; ++j) {
      auto* block = reinterpret_cast<S*>(dst + block_at(record.dst_stride, repeat, j));
      std::fill_n(block, kBlockBytes / sizeof(S), src[repeat * kRepeatBlocks + j]);
    }
  }
}

void run(const BroadcastBlockRecord& record, const State&, Memory& memory) {
  with_width<kSupport>(record.src.dtype, [&]<class U>() { broadcast<U>(record, memory); });
}

constexpr Functions<BroadcastBlockRecord> kFunctions{
    .signature = signature, .pipe = Pipe::kV, .check = check, .footprint = footprint, .run = run};

}  // namespace

extern constinit const Instruction brcb =
    make_instruction<kFunctions>("brcb", "Brcb", "Brcb", kSupport);

}  // namespace vinci::isa
