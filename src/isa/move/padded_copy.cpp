// padded_copy: a few bytes of GM to each datablock of L1, and the padding behind them.
//
// The padding is what SetLoadDataPaddingValue left. Sources and decisions:
// docs/spec/padded_copy.md.
#include <cstring>

#include <fmt/format.h>

#include "core/core.h"
#include "core/instruction.h"
#include "vinci/record/padded_copy.h"

namespace vinci::isa {
namespace {

constexpr uint64_t kBlockBytes = 32;

constexpr Signature kTypes[] = {DType::kUint8};
constexpr Support kSupport[] = {{kArch2201, kTypes}};

Signature signature(const PaddedCopyRecord& record) { return record.dst.dtype; }

// Bytes that a burst moves.
uint64_t taken(const PaddedCopyRecord& record) { return uint64_t{1} << (record.mode - 1); }
int64_t pitch(const PaddedCopyRecord& record) {
  return int64_t(1 + uint64_t(record.dst_gap)) * int64_t(kBlockBytes);
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
  if (record.mode >= 6 && record.mode <= 8) {
    check.unimplemented(
        fmt::format("where padMode {} puts what it takes is not known", record.mode),
        "PAD_NONE, PAD_MODE1 to PAD_MODE5");
    return;
  }
  check.range("padMode", record.mode, 1, 5);
  check.range("nBurst", record.bursts, 0, 4095);
  check.range("lenBurst", record.length, 1, 1);
  check.range("srcGap", record.src_gap, 0, 0);
  if (check.ok()) check_padding(record, check);
}

void footprint(const PaddedCopyRecord& record, Footprint& footprint) {
  if (record.bursts == 0) return;
  footprint.add_bytes(record.src, "src", Access::kRead, 0, record.bursts * taken(record));
  footprint.add_blocks(record.dst, "dst", Access::kWrite, 0, kBlockBytes, record.bursts,
                       pitch(record));
}

void run(const PaddedCopyRecord& record, const State& state, Memory& memory) {
  if (record.bursts == 0) return;
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst);
  const uint64_t bytes = taken(record);
  const uint32_t word = state.registers.padding;
  const uint8_t low = uint8_t(word), high = record.mode == 1 ? low : uint8_t(word >> 8);
  for (uint64_t burst = 0; burst < record.bursts; ++burst) {
    std::memcpy(dst, src, bytes);
    for (uint64_t i = bytes; i < kBlockBytes; ++i) dst[i] = i % 2 == 0 ? low : high;
    src += bytes;
    dst += pitch(record);
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
