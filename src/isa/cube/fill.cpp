// fill: runs of blocks in L1, L0A or L0B become one value.
//
//   run r starts at block r * (blockNum + dstGap) and has blockNum blocks of 32 B (L1) or 512 B
//   (L0)
//
// On the 910 and the 310P: repeatTimes times 512 B in a row, whatever blockNum and dstGap say.
// Sources and decisions: docs/spec/fill.md.
#include <cstring>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/cube/feature_map.h"
#include "kernel/fractal.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

constexpr Signature k1001Types[] = {DType::kHalf};
constexpr Signature k2002Types[] = {DType::kHalf, DType::kInt16, DType::kUint16};
constexpr Signature k2201Types[] = {DType::kHalf,  DType::kInt16,  DType::kUint16, DType::kBfloat16,
                                    DType::kInt32, DType::kUint32, DType::kFloat};
constexpr Support kSupport[] = {
    {kArch1001, k1001Types}, {kArch2002, k2002Types}, {kArch2201 | kArch3002, k2201Types}};

Signature signature(const FillRecord& record) { return record.dst.dtype; }
Pipe pipe(const FillRecord& record, const Soc& soc) {
  const Space to = soc.space_of(record.dst.position);
  if (to == Space::kNone) return Pipe::kNone;
  return to == Space::kL1 ? Pipe::kMte2 : Pipe::kMte1;
}

struct Runs {
  uint64_t bytes, pitch;
};
Runs runs_of(const FillRecord& record, const Soc& soc) {
  if (!soc.has(Feature::kFillBlocks)) return {fractal::kBytes, fractal::kBytes};
  const bool in_l1 = soc.space_of(record.dst.position) == Space::kL1;
  const uint64_t block = in_l1 ? fractal::kRowBytes : fractal::kBytes;
  return {record.blocks * block, (uint64_t(record.blocks) + record.gap) * block};
}

void check(const FillRecord& record, Check& check) {
  const Space to = check.soc().space_of(record.dst.position);
  const bool reaches_l1 = check.soc().has(Feature::kFillBlocks);
  if (to != Space::kL0A && to != Space::kL0B && (to != Space::kL1 || !reaches_l1)) {
    check.fail(Code::kPosition,
               fmt::format("dstLocal is in {} ({})", name_of(record.dst.position), name_of(to)),
               reaches_l1 ? "A1, B1, A2, B2" : "A2, B2");
    return;
  }
  check.aligned("dstLocal", record.dst);
  check.range("repeatTimes", record.repeats, 0, reaches_l1 ? 32767 : 255);
  check.range("blockNum", record.blocks, 0, 32767);
  check.range("dstGap", record.gap, 0, 32767);
}

void footprint(const FillRecord& record, Footprint& footprint) {
  const Runs runs = runs_of(record, footprint.soc());
  footprint.add_blocks(record.dst, "dstLocal", Access::kWrite, 0, runs.bytes, record.repeats,
                       int64_t(runs.pitch));
}

void run(const FillRecord& record, const State& state, Memory& memory) {
  const Runs runs = runs_of(record, state.soc);
  const uint32_t word = feature_map::padding_word(record.value, bits_of(record.dst.dtype));
  for (uint64_t run = 0; run < record.repeats; ++run) {
    uint8_t* dst = memory.data(record.dst) + run * runs.pitch;
    for (uint64_t byte = 0; byte < runs.bytes; byte += sizeof(word)) {
      std::memcpy(dst + byte, &word, sizeof(word));
    }
  }
}

constexpr Functions<FillRecord> kFunctions{
    .signature = signature, .pipe = pipe, .check = check, .footprint = footprint, .run = run};

}  // namespace

extern constinit const Instruction fill =
    make_instruction<kFunctions>("fill", "Fill", "Fill", kSupport);

}  // namespace vinci::isa
