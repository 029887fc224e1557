// padded_copy: a few bytes of GM to each datablock of L1, and the padding behind them; or the first
// bytes of each datablock of GM, without the rest.
//
// The padding is what SetLoadDataPaddingValue left. Sources and decisions:
// docs/spec/padded_copy.md.
#include <cstring>

#include <fmt/format.h>

#include "core/instruction.h"
#include "vinci/record/padded_copy.h"

namespace vinci::isa {
namespace {

constexpr uint64_t kBlockBytes = 32;

constexpr Signature kTypes[] = {DType::kUint8};
constexpr Support kSupport[] = {{kArch2201, kTypes}};

Signature signature(const PaddedCopyRecord& record) { return record.dst.dtype; }

// Whether the rest of a datablock of GM is left out.
bool packs(const PaddedCopyRecord& record) { return record.mode > 5; }
// Bytes that a datablock has of GM.
uint64_t taken(const PaddedCopyRecord& record) {
  return uint64_t{1} << (packs(record) ? record.mode - 4 : record.mode - 1);
}
uint64_t burst_bytes(const PaddedCopyRecord& record) {
  return packs(record) ? record.length * taken(record) : kBlockBytes;
}
uint64_t src_pitch(const PaddedCopyRecord& record) {
  return packs(record) ? (uint64_t(record.length) + record.src_gap) * kBlockBytes : taken(record);
}
uint64_t dst_pitch(const PaddedCopyRecord& record) {
  return burst_bytes(record) + record.dst_gap * kBlockBytes;
}

void check_padding(const PaddedCopyRecord& record, Check& check) {
  const uint32_t word = check.registers().padding;
  if (record.mode == 1 || word >> 16 == (word & 0xFFFF)) return;
  check.fail(Code::kCombination, fmt::format("the padding is {:#010x}", word),
             "a value of 8 or 16 bits: this mode fills with 16");
}

void check(const PaddedCopyRecord& record, Check& check) {
  check.in_space("dst", record.dst, Space::kL1);
  if (!check.ok()) return;
  check.aligned("dst", record.dst);
  check.range("padMode", record.mode, 1, 8);
  check.range("nBurst", record.bursts, 0, 4095);
  if (packs(record)) {
    // The next burst begins at a datablock.
    if (record.bursts > 1) check.multiple("lenBurst", record.length, kBlockBytes / taken(record));
    return;
  }
  check.range("lenBurst", record.length, 1, 1);
  check.range("srcGap", record.src_gap, 0, 0);
  if (check.ok()) check_padding(record, check);
}

void footprint(const PaddedCopyRecord& record, Footprint& footprint) {
  if (record.bursts == 0) return;
  if (packs(record)) {
    for (uint64_t burst = 0; burst < record.bursts; ++burst) {
      footprint.add_blocks(record.src, "src", Access::kRead, burst * src_pitch(record),
                           taken(record), record.length, int64_t(kBlockBytes));
    }
  } else {
    footprint.add_bytes(record.src, "src", Access::kRead, 0, record.bursts * taken(record));
  }
  footprint.add_blocks(record.dst, "dst", Access::kWrite, 0, burst_bytes(record), record.bursts,
                       int64_t(dst_pitch(record)));
}

void pack(const PaddedCopyRecord& record, const uint8_t* src, uint8_t* dst) {
  const uint64_t bytes = taken(record);
  for (uint64_t burst = 0; burst < record.bursts; ++burst) {
    for (uint64_t block = 0; block < record.length; ++block) {
      std::memcpy(dst + block * bytes, src + block * kBlockBytes, bytes);
    }
    src += src_pitch(record);
    dst += dst_pitch(record);
  }
}

void run(const PaddedCopyRecord& record, const State& state, Memory& memory) {
  if (record.bursts == 0) return;
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst);
  if (packs(record)) return pack(record, src, dst);
  const uint64_t bytes = taken(record);
  const uint32_t word = state.registers.padding;
  const uint8_t low = uint8_t(word), high = record.mode == 1 ? low : uint8_t(word >> 8);
  for (uint64_t burst = 0; burst < record.bursts; ++burst) {
    std::memcpy(dst, src, bytes);
    for (uint64_t i = bytes; i < kBlockBytes; ++i) dst[i] = i % 2 == 0 ? low : high;
    src += src_pitch(record);
    dst += dst_pitch(record);
  }
}

constexpr Functions<PaddedCopyRecord> kFunctions{.signature = signature,
                                                 .pipe = Pipe::kMte2,
                                                 .check = check,
                                                 .footprint = footprint,
                                                 .run = run};

}  // namespace

extern constinit const Instruction padded_copy =
    make_instruction<kFunctions>("padded_copy", "copy_gm_to_cbuf", "copy_gm_to_cbuf", kSupport);

}  // namespace vinci::isa
