// scatter: the element of dst at byte base + offset[i] = src[i].
//
// Offsets are always contiguous, whatever the mask; a masked lane neither uses its offset nor
// writes. Sources and decisions: docs/spec/scatter.md.
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/family/lane_offsets.h"
#include "isa/family/scattered.h"
#include "isa/family/types.h"
#include "vinci/record/scatter.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

constexpr Signature k2002Types[] = {DType::kUint16, DType::kHalf, DType::kUint32, DType::kFloat};
constexpr Signature k3002Types[] = {DType::kInt8, DType::kUint8, DType::kInt16,  DType::kUint16,
                                    DType::kHalf, DType::kInt32, DType::kUint32, DType::kFloat};
constexpr Support kSupport[] = {{kArch2002, k2002Types}, {kArch3002, k3002Types}};

Signature signature(const ScatterRecord& record) { return record.dst.dtype; }

unsigned width_of(const ScatterRecord& record) { return bits_of(record.dst.dtype) / 8; }

unsigned lanes_of(const ScatterRecord& record) {
  return lanes_per_repeat(bits_of(record.dst.dtype));
}

LanePlan plan(const ScatterRecord& record, const State& state) {
  return {record.lanes, state.registers.mask, lanes_of(record)};
}

// srcRepStride matters with a mask only; the count form is contiguous.
Layout src_layout_of(const ScatterRecord& record, const LanePlan& plan) {
  Layout layout = layout_of(record.src.dtype, record.src_stride);
  if (plan.contiguous()) layout.stride = contiguous(layout, plan.lanes());
  return layout;
}

// Where offset 0 leads to.
uint64_t start_of(const ScatterRecord& record) { return record.dst.address + record.base; }

void check(const ScatterRecord& record, const LanePlan& plan, Check& check) {
  check_operand("dst", record.dst, check);
  check_operand("src", record.src, check);
  check_operand("dstOffset", record.offset, check);
  if (!plan.counted()) check.range("repeatTime", record.lanes.repeats, 0, 255);
  check.range("srcRepStride", record.src_stride.repeat, 0, 255);
  check_lanes(record.lanes, lanes_of(record), false, false, check);
  check.multiple("dstBaseAddr", record.base, width_of(record));
  check.range("dstBaseAddr", record.base, 0, std::max(int64_t(record.dst.bytes) - 1, int64_t{0}));
}

// Reports the first offset that is not legal. Only called when there is one.
void report_offset(const ScatterRecord& record, Footprint& footprint, const LanePlan& plan,
                   const uint32_t* offsets, uint64_t limit) {
  const unsigned width = width_of(record);
  bool found = false;
  for_each_offset(offsets, plan, [&](uint64_t, uint64_t i, uint32_t offset) {
    if (found || (offset <= limit && offset % width == 0)) return;
    found = true;
    footprint.fail(Code::kGatherOffset,
                   fmt::format("dstOffset[{}] is {}, and dst starts at byte {} of UB "
                               "(dstBaseAddr {})",
                               i, offset, record.dst.address, record.base),
                   fmt::format("a multiple of {} up to {} on {}", width, limit / width * width,
                               footprint.soc().name));
  });
}

// No lane may be written where src or offsets are read.
void check_hazard(const ScatterRecord& record, Footprint& footprint, const LanePlan& plan,
                  const uint32_t* offsets) {
  const unsigned width = width_of(record);
  const uint64_t step = uint64_t(src_layout_of(record, plan).stride.repeat) * kBlockBytes;
  std::vector<bool> read(footprint.soc().size_of(Space::kUb));
  const auto mark = [&](uint64_t at, uint64_t bytes) {
    std::fill_n(read.begin() + int64_t(at), bytes, true);
  };
  for_each_offset(offsets, plan, [&](uint64_t repeat, uint64_t i, uint32_t) {
    mark(record.src.address + repeat * step + i % plan.lanes() * width, width);
    mark(record.offset.address + i * sizeof(uint32_t), sizeof(uint32_t));
  });
  bool found = false;
  for_each_offset(offsets, plan, [&](uint64_t, uint64_t i, uint32_t offset) {
    const uint64_t at = start_of(record) + offset;
    const auto first = read.begin() + int64_t(at);
    if (found || std::find(first, first + width, true) == first + width) return;
    found = true;
    footprint.fail(Code::kOverlap,
                   fmt::format("dstOffset[{}] leads to byte {} of UB, where src or dstOffset is "
                               "read",
                               i, at),
                   "dst apart from what the call reads");
  });
}

void footprint(const ScatterRecord& record, const LanePlan& plan, Footprint& footprint) {
  const unsigned width = width_of(record);
  if (plan.repeats() == 0) return;
  add_offsets(footprint, record.offset, "dstOffset", plan);
  add_lanes(footprint, {&record.src, src_layout_of(record, plan), "src"}, Access::kRead, plan);
  const Memory* memory = footprint.settle("dstOffset");
  if (memory == nullptr) return;
  const auto* offsets = reinterpret_cast<const uint32_t*>(memory->data(record.offset));
  const SeenOffsets seen = seen_in(offsets, plan);
  const uint64_t start = start_of(record);
  const bool has_room = start + width <= footprint.soc().size_of(Space::kUb);
  const uint64_t limit = has_room ? last_offset(start, width, footprint.soc()) : 0;
  if (!has_room || seen.most > limit || seen.bits % width != 0) {
    report_offset(record, footprint, plan, offsets, limit);
    return;
  }
  Region writes{record.dst,
                "dst",
                Access::kWrite,
                false,
                start + seen.least,
                uint64_t(seen.most) - seen.least + width,
                1,
                0,
                1,
                0};
  const bool overlaps = std::ranges::any_of(footprint.regions(), [&](const Region& region) {
    return overlap(region.first(), region.end(), writes.first(), writes.end());
  });
  if (footprint.scatters({&writes, 1})) {
    writes.block_bytes = width;
    Scattered elements(footprint, writes);
    for_each_offset(offsets, plan,
                    [&](uint64_t, uint64_t, uint32_t offset) { elements.add(start + offset); });
  }
  if (overlaps) check_hazard(record, footprint, plan, offsets);
}

// Offsets that are equal, told once.
void inspect(const ScatterRecord& record, const LanePlan& plan, const State&, const Memory& memory,
             std::vector<Finding>& findings) {
  const auto* offsets = reinterpret_cast<const uint32_t*>(memory.data(record.offset));
  std::vector<uint64_t> used;  // the offset, and below it whose it is
  for_each_offset(offsets, plan, [&](uint64_t, uint64_t i, uint32_t offset) {
    used.push_back(uint64_t(offset) << 32 | i);
  });
  std::ranges::sort(used);
  const auto same =
      std::ranges::adjacent_find(used, [](uint64_t a, uint64_t b) { return a >> 32 == b >> 32; });
  if (same == used.end()) return;
  findings.push_back({Code::kWrittenTwice,
                      fmt::format("dstOffset[{}] and dstOffset[{}] are both {}: the last one stays",
                                  uint32_t(same[0]), uint32_t(same[1]), same[0] >> 32),
                      "an offset of its own for each element"});
}

template <class T>
void scatter_all(const ScatterRecord& record, const LanePlan& plan, Memory& memory) {
  const auto* offsets = reinterpret_cast<const uint32_t*>(memory.data(record.offset));
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst) + record.base;
  const uint64_t step = uint64_t(src_layout_of(record, plan).stride.repeat) * kBlockBytes;
  for (uint64_t repeat = 0; repeat < plan.repeats(); ++repeat) {
    const uint32_t* offset = offsets + repeat * plan.lanes();
    const uint8_t* lanes = src + repeat * step;
    plan.for_each_run(repeat, [&](LaneRun run) {
      for (unsigned i = run.begin; i < run.end; ++i) {
        std::memcpy(dst + offset[i], lanes + i * sizeof(T), sizeof(T));
      }
    });
  }
}

void run(const ScatterRecord& record, const LanePlan& plan, const State&, Memory& memory) {
  with_width<kSupport>(record.dst.dtype, [&]<class U>() { scatter_all<U>(record, plan, memory); });
}

constexpr Functions<ScatterRecord, LanePlan> kFunctions{.signature = signature,
                                                        .pipe = Pipe::kV,
                                                        .plan = plan,
                                                        .check = check,
                                                        .footprint = footprint,
                                                        .inspect = inspect,
                                                        .run = run,
                                                        .advance = advance_mask};

}  // namespace

extern constinit const Instruction scatter =
    make_instruction<kFunctions>("scatter", "Scatter", "Scatter", kSupport);

}  // namespace vinci::isa
