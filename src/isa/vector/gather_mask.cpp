// gather_mask: the elements of src whose bit is set, packed into dst. The bits are a fixed pattern
// or a tensor; their number goes to RSVD_CNT.
//
// Sources and decisions: docs/spec/gather_mask.md.
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/family/lanes.h"
#include "isa/family/types.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;
using enum DType;

constexpr const char kSourceName[] = "src0", kPatternName[] = "src1Pattern";

constexpr Signature kClassic[] = {
    kHalf,   {kHalf, kHalf, kUint16},     kInt16,  {kInt16, kInt16, kUint16},
    kUint16, {kUint16, kUint16, kUint16}, kFloat,  {kFloat, kFloat, kUint32},
    kInt32,  {kInt32, kInt32, kUint32},   kUint32, {kUint32, kUint32, kUint32}};
constexpr Signature kBfloat16s[] = {kBfloat16, {kBfloat16, kBfloat16, kUint16}};
constexpr Support kSupport[] = {
    {kArch2002 | kArch2201 | kArch3002, kClassic},
    {kArch2201, kBfloat16s, true, kAscendC},
    {kArch2002Vector, kClassic, true, kTik},
};

constexpr uint64_t kPatterns[] = {0x5555555555555555, 0xAAAAAAAAAAAAAAAA, 0x1111111111111111,
                                  0x2222222222222222, 0x4444444444444444, 0x8888888888888888,
                                  ~uint64_t{0}};

Signature signature(const GatherMaskRecord& record) {
  if (record.pattern.dtype == kNone) return record.dst.dtype;
  return {record.dst.dtype, record.src.dtype, record.pattern.dtype};
}

unsigned width_of(const GatherMaskRecord& record) { return bits_of(record.src.dtype) / 8; }

// How many elements each repeat looks at; the last one may have fewer.
struct Extent {
  uint64_t repeats, in_repeat, in_last;

  uint64_t in(uint64_t repeat) const { return repeat + 1 == repeats ? in_last : in_repeat; }
};

Extent extent_of(const GatherMaskRecord& record, const Soc& soc) {
  const uint64_t lanes = kRepeatBytes / width_of(record);
  if (!record.counter) return {record.repeats, lanes, lanes};
  if (!soc.has(Feature::kGatherMaskTotal)) {
    return {record.repeats, record.elements, record.elements};
  }
  const uint64_t repeats = (record.elements + lanes - 1) / lanes;
  return {repeats, lanes, record.elements - (repeats - 1) * lanes};
}

// Bits 64k..64k+63 of a repeat of `count` elements.
uint64_t word_of(const GatherMaskRecord& record, const Memory& memory, uint64_t repeat,
                 uint64_t count, uint64_t k) {
  uint64_t word = 0;
  if (record.pattern.dtype == kNone) {
    word = kPatterns[record.fixed - 1];
  } else {
    const uint8_t* start =
        memory.data(record.pattern) + repeat * record.pattern_repeat_stride * kBlockBytes;
    std::memcpy(&word, start + 8 * k, std::min<uint64_t>(8, (count + 7) / 8 - 8 * k));
  }
  const uint64_t left = count - 64 * k;
  return left >= 64 ? word : word & ((uint64_t{1} << left) - 1);
}

// Calls f(word, index of its first element) for the bits of a repeat.
template <class F>
void for_each_word(const GatherMaskRecord& record, const Memory& memory, uint64_t repeat,
                   uint64_t count, F f) {
  for (uint64_t k = 0; 64 * k < count; ++k) {
    f(word_of(record, memory, repeat, count, k), 64 * k);
  }
}

uint64_t kept_in(const GatherMaskRecord& record, const Memory& memory, uint64_t repeat,
                 uint64_t count) {
  uint64_t kept = 0;
  for_each_word(record, memory, repeat, count,
                [&](uint64_t word, uint64_t) { kept += uint64_t(__builtin_popcountll(word)); });
  return kept;
}

void check(const GatherMaskRecord& record, Check& check) {
  check_operand("dst", record.dst, check);
  check_operand("src0", record.src, check);
  if (record.pattern.dtype != kNone) {
    check_operand(kPatternName, record.pattern, check);
  } else {
    check.range(kPatternName, record.fixed, 1, check.soc().has(Feature::kGatherMaskTotal) ? 6 : 7);
  }
  if (record.counter) check.range("mask", record.elements, 1, UINT32_MAX);
}

LaneOperand src_of(const GatherMaskRecord& record) {
  return {&record.src, layout_of(record.src.dtype, record.src_stride), kSourceName};
}

void add_sources(const GatherMaskRecord& record, const Extent& extent, Footprint& footprint) {
  const uint64_t last = extent.repeats - 1;
  const auto add = [&](uint64_t first, uint64_t repeats, uint64_t count) {
    if (repeats == 0) return;
    add_run(footprint, src_of(record), Access::kRead, {0, unsigned(count)}, first, repeats);
    if (record.pattern.dtype == kNone) return;
    const uint64_t step = uint64_t(record.pattern_repeat_stride) * kBlockBytes;
    footprint.add_blocks(record.pattern, kPatternName, Access::kRead, first * step,
                         (count + 7) / 8, repeats, int64_t(step));
  };
  add(0, last, extent.in_repeat);
  add(last, 1, extent.in_last);
}

// In place the results stay behind what is still to be read: no repeat writes what a later one
// reads. `written` is the number of bytes that repeats 0..repeat write.
bool overtakes(const GatherMaskRecord& record, uint64_t repeat, uint64_t written) {
  return written > (repeat + 1) * record.src_stride.repeat * kBlockBytes;
}

void check_hazard(const GatherMaskRecord& record, const Extent& extent, uint64_t bytes,
                  bool overtaken, Footprint& footprint) {
  if (bytes == 0) return;  // the pattern chooses nothing
  const uint64_t start = record.dst.address;
  for (const Region& region : footprint.regions()) {
    if (region.space != Space::kUb) continue;
    if (!overlap(start, start + bytes, region.first(), region.end())) continue;
    const bool in_place = region.name == kSourceName && record.src.address == start;
    if (in_place && (extent.repeats == 1 || !overtaken)) continue;
    footprint.fail(Code::kOverlap, fmt::format("dst and {} overlap", region.name),
                   "dst starts where src0 does, no repeat writing what a later one reads; or no "
                   "overlap");
    return;
  }
}

void footprint(const GatherMaskRecord& record, Footprint& footprint) {
  const Extent extent = extent_of(record, footprint.soc());
  footprint.add_hidden(Space::kCells, "RSVD_CNT", Access::kWrite, offsetof(Cells, gathered),
                       sizeof(Cells::gathered));
  if (extent.repeats == 0) return;
  add_sources(record, extent, footprint);
  const Memory* memory = footprint.settle(kPatternName);
  if (memory == nullptr) return;
  uint64_t bytes = 0;
  bool overtaken = false;
  for (uint64_t repeat = 0; repeat < extent.repeats; ++repeat) {
    bytes += kept_in(record, *memory, repeat, extent.in(repeat)) * width_of(record);
    overtaken |= repeat + 1 < extent.repeats && overtakes(record, repeat, bytes);
  }
  check_hazard(record, extent, bytes, overtaken, footprint);
  footprint.add_bytes(record.dst, "dst", Access::kWrite, 0, bytes);
}

// All that a repeat reads is read before it writes.
template <class S>
uint64_t pack(const GatherMaskRecord& record, const State& state, Memory& memory) {
  const Extent extent = extent_of(record, state.soc);
  constexpr uint64_t kPerBlock = kBlockBytes / sizeof(S);
  const uint64_t block = uint64_t(record.src_stride.block) * kBlockBytes;
  uint8_t* dst = memory.data(record.dst);
  uint64_t total = 0;
  std::vector<S> kept;
  for (uint64_t repeat = 0; repeat < extent.repeats; ++repeat) {
    const uint8_t* src = memory.data(record.src) + repeat * record.src_stride.repeat * kBlockBytes;
    kept.clear();
    for_each_word(record, memory, repeat, extent.in(repeat), [&](uint64_t word, uint64_t first) {
      for (; word != 0; word &= word - 1) {
        const uint64_t i = first + uint64_t(__builtin_ctzll(word));
        S element;
        std::memcpy(&element, src + i / kPerBlock * block + i % kPerBlock * sizeof(S), sizeof(S));
        kept.push_back(element);
      }
    });
    if (!kept.empty()) std::memcpy(dst + total * sizeof(S), kept.data(), kept.size() * sizeof(S));
    total += kept.size();
  }
  return total;
}

void run(const GatherMaskRecord& record, const State& state, Memory& memory) {
  with_width<kSupport>(record.src.dtype, [&]<class U>() {
    memory.cells().gathered = pack<U>(record, state, memory);
  });
}

void advance(const GatherMaskRecord&, const Soc&, Registers& registers) {
  registers.mask.counter = false;
}

constexpr Functions<GatherMaskRecord> kFunctions{.signature = signature,
                                                 .pipe = Pipe::kV,
                                                 .check = check,
                                                 .footprint = footprint,
                                                 .run = run,
                                                 .advance = advance};

}  // namespace

extern constinit const Instruction gather_mask =
    make_instruction<kFunctions>("gather_mask", "GatherMask", "GatherMask", kSupport);

}  // namespace vinci::isa
