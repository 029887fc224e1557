// gatherb: datablock 8r + j of dst is the one of src at byte offset[8r + j].
//
// Sources and decisions: docs/spec/gatherb.md.
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/family/block_repeats.h"
#include "isa/family/scattered.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;
using enum DType;

constexpr Signature k2201Types[] = {kUint16, kUint32};
constexpr Signature k3002Types[] = {kInt8,  kUint8, kInt16,  kUint16,   kHalf,
                                    kFloat, kInt32, kUint32, kBfloat16, kInt64};
constexpr Signature kTikTypes[] = {kInt16, kHalf, kInt32, kFloat};
constexpr Support kSupport[] = {
    {kArch2201, k2201Types}, {kArch2201, kTikTypes, true, kTik}, {kArch3002, k3002Types}};

Signature signature(const GatherBlockRecord& record) { return record.src.dtype; }

uint64_t count_of(const GatherBlockRecord& record) {
  return uint64_t(record.repeats) * kRepeatBlocks;
}

void check(const GatherBlockRecord& record, Check& check) {
  check_operand("dst", record.dst, check);
  check_operand("src", record.src, check);
  check_operand("offset", record.offset, check);
  check.range("repeatTime", record.repeats, 0, 255);
}

// No datablock is read, as source or for its offsets, that its own repeat or an earlier one writes.
void check_hazard(const GatherBlockRecord& record, Footprint& footprint, const uint32_t* offsets) {
  constexpr uint64_t kNobody = ~uint64_t{0};
  std::vector<uint64_t> writer(footprint.soc().size_of(Space::kUb) / kBlockBytes, kNobody);
  for (uint64_t i = count_of(record); i-- > 0;) {
    const uint64_t at = block_at(record.dst_stride, i / kRepeatBlocks, unsigned(i % kRepeatBlocks));
    writer[(record.dst.address + at) / kBlockBytes] = i / kRepeatBlocks;
  }
  const auto judge = [&](const char* name, uint64_t repeat, uint64_t at) {
    const uint64_t by = writer[at / kBlockBytes];
    if (by == kNobody || by > repeat) return false;
    footprint.fail(Code::kOverlap,
                   fmt::format("repeat {} reads {} at byte {} of UB, where repeat {} writes dst",
                               repeat, name, at, by),
                   "no overlap");
    return true;
  };
  for (uint64_t i = 0; i < count_of(record); ++i) {
    const uint64_t repeat = i / kRepeatBlocks;
    if (judge("src", repeat, record.src.address + offsets[i])) return;
    if (judge("offset", repeat, record.offset.address + i * sizeof(uint32_t))) return;
  }
}

void footprint(const GatherBlockRecord& record, Footprint& footprint) {
  if (record.repeats == 0) return;
  footprint.add_bytes(record.offset, "offset", Access::kRead, 0,
                      count_of(record) * sizeof(uint32_t));
  add_block_repeats(footprint, record.dst, record.dst_stride, record.repeats);
  const Memory* memory = footprint.settle();
  if (memory == nullptr) return;
  const auto* offsets = reinterpret_cast<const uint32_t*>(memory->data(record.offset));
  if (!add_blocks_at(footprint, record.src, "src", "offset", {offsets, count_of(record)})) return;
  check_hazard(record, footprint, offsets);
}

void run(const GatherBlockRecord& record, const State&, Memory& memory) {
  const uint8_t* src = memory.data(record.src);
  const auto* offsets = reinterpret_cast<const uint32_t*>(memory.data(record.offset));
  uint8_t* dst = memory.data(record.dst);
  for (uint64_t i = 0; i < count_of(record); ++i) {
    const uint64_t at = block_at(record.dst_stride, i / kRepeatBlocks, unsigned(i % kRepeatBlocks));
    std::memcpy(dst + at, src + offsets[i], kBlockBytes);
  }
}

void advance(const GatherBlockRecord&, const Soc&, Registers& registers) {
  const MaskRegister all;
  std::copy_n(all.bits, 2, registers.mask.bits);
}

constexpr Functions<GatherBlockRecord> kFunctions{.signature = signature,
                                                  .pipe = Pipe::kV,
                                                  .check = check,
                                                  .footprint = footprint,
                                                  .run = run,
                                                  .advance = advance};

}  // namespace

extern constinit const Instruction gatherb =
    make_instruction<kFunctions>("gatherb", "Gatherb", "Gatherb", kSupport);

}  // namespace vinci::isa
