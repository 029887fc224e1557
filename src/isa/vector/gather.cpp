// gather: dst[i] = the element of src at byte base + offset[i].
//
// Offsets are always contiguous, whatever the mask; a masked lane neither uses its offset nor
// writes. Sources and decisions: docs/spec/gather.md.
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/family/lane_offsets.h"
#include "isa/family/scattered.h"
#include "isa/family/types.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

constexpr Signature k2002Types[] = {DType::kInt16,  DType::kUint16, DType::kInt32,
                                    DType::kUint32, DType::kFloat,  DType::kHalf};
constexpr Signature k2201Types[] = {DType::kInt16, DType::kUint16, DType::kInt32,   DType::kUint32,
                                    DType::kFloat, DType::kHalf,   DType::kBfloat16};
constexpr Signature k3002Types[] = {DType::kUint8, DType::kInt8,   DType::kUint16, DType::kInt16,
                                    DType::kHalf,  DType::kUint32, DType::kInt32,  DType::kFloat};
constexpr Support kSupport[] = {
    {kArch2002, k2002Types}, {kArch2201, k2201Types}, {kArch3002, k3002Types}};

Signature signature(const GatherRecord& record) { return record.src.dtype; }

unsigned width_of(const GatherRecord& record) { return bits_of(record.src.dtype) / 8; }

unsigned lanes_of(const GatherRecord& record) {
  return lanes_per_repeat(bits_of(record.src.dtype));
}

LanePlan plan(const GatherRecord& record, const State& state) {
  return {record.lanes, state.registers.mask, lanes_of(record)};
}

// dstRepStride matters with a mask only; the count form is contiguous.
Layout dst_layout_of(const GatherRecord& record, const LanePlan& plan) {
  Layout layout = layout_of(record.dst.dtype, record.dst_stride);
  if (plan.contiguous()) layout.stride = contiguous(layout, plan.lanes());
  return layout;
}

void check_count(const GatherRecord& record, Check& check) {
  if (record.lanes.form != Lanes::Form::kCount) return;
  const auto count = int64_t(record.lanes.mask[0]);
  const auto offsets = int64_t(record.offset.bytes / sizeof(uint32_t));
  if (count > offsets) {
    check.fail(Code::kRange,
               fmt::format("count {}, but srcOffsetLocal holds {} elements", count, offsets),
               fmt::format("0..{}", offsets));
  }
  const int64_t wraps = 256 * int64_t(lanes_of(record));
  if (check.ok() && count >= wraps) {
    check.warn(Code::kGatherCountWraps,
               fmt::format("count {} is gathered whole here; the vendor's headers keep the number "
                           "of repeats in 8 bits and lose some of it",
                           count),
               fmt::format("at most {} elements in one call", wraps - 1));
  }
}

void check(const GatherRecord& record, const LanePlan& plan, Check& check) {
  check_operand("dstLocal", record.dst, check);
  check_operand("srcLocal", record.src, check);
  check_operand("srcOffsetLocal", record.offset, check);
  if (!plan.counted()) check.range("repeatTimes", record.lanes.repeats, 0, 255);
  check_lanes(record.lanes, lanes_of(record), false, false, check);
  check_count(record, check);
  check.multiple("srcBaseAddr", record.base, width_of(record));
  check.range("srcBaseAddr", record.base, 0, std::max(int64_t(record.src.bytes) - 1, int64_t{0}));
  const bool narrow = check.soc().has(Feature::kGatherStride8Bit);
  check.range("dstRepStride", record.dst_stride.repeat, 0, narrow ? 255 : 65535);
}

// Reports the first offset that is not legal. Only called when there is one.
void report_offset(const GatherRecord& record, Footprint& footprint, const LanePlan& plan,
                   const uint32_t* offsets, uint64_t limit) {
  bool found = false;
  for_each_offset(offsets, plan, [&](uint64_t, uint64_t i, uint32_t offset) {
    if (found || (offset <= limit && offset % width_of(record) == 0)) return;
    found = true;
    footprint.fail(Code::kGatherOffset,
                   fmt::format("srcOffsetLocal[{}] is {}, and srcLocal starts at byte {} of UB "
                               "(srcBaseAddr {})",
                               i, offset, record.src.address, record.base),
                   fmt::format("a multiple of {} up to {} on {}", width_of(record),
                               limit / width_of(record) * width_of(record), footprint.soc().name));
  });
}

// Which repeat writes each byte of UB; kNobody where none does.
constexpr uint64_t kNobody = ~uint64_t{0};
std::vector<uint64_t> writers(const GatherRecord& record, const LanePlan& plan,
                              const uint32_t* offsets, uint64_t ub_bytes) {
  const unsigned width = width_of(record);
  const Stride stride = dst_layout_of(record, plan).stride;
  std::vector<uint64_t> writer(ub_bytes, kNobody);
  for_each_offset(offsets, plan, [&](uint64_t repeat, uint64_t i, uint32_t) {
    const uint64_t at =
        record.dst.address + repeat * stride.repeat * kBlockBytes + i % plan.lanes() * width;
    for (uint64_t byte = at; byte < at + width; ++byte) {
      writer[byte] = std::min(writer[byte], repeat);
    }
  });
  return writer;
}

// What offset 0 leads to.
uint64_t source_start(const GatherRecord& record) { return record.src.address + record.base; }

// A repeat must not read, as source or offset, what an earlier repeat wrote; what it writes itself
// it may only read if dst starts where the source does, or the offsets.
void check_hazard(const GatherRecord& record, Footprint& footprint, const LanePlan& plan,
                  const uint32_t* offsets) {
  const auto writer = writers(record, plan, offsets, footprint.soc().size_of(Space::kUb));
  bool found = false;
  const auto judge = [&](const char* name, bool same_start, uint64_t repeat, uint64_t at,
                         uint64_t bytes) {
    for (uint64_t byte = at; byte < at + bytes && !found; ++byte) {
      const uint64_t by = writer[byte];
      if (by == kNobody || by > repeat || (by == repeat && same_start)) continue;
      found = true;
      footprint.fail(
          Code::kOverlap,
          fmt::format("repeat {} reads {} at byte {} of UB, where repeat {} writes dstLocal",
                      repeat, name, byte, by),
          "in place, dst at srcLocal + srcBaseAddr, each repeat reading its own; or apart");
    }
  };
  for_each_offset(offsets, plan, [&](uint64_t repeat, uint64_t i, uint32_t offset) {
    judge("srcLocal", record.dst.address == source_start(record), repeat,
          source_start(record) + offset, width_of(record));
    judge("srcOffsetLocal",
          record.dst.address == record.offset.address && width_of(record) == sizeof(uint32_t),
          repeat, record.offset.address + i * sizeof(uint32_t), sizeof(uint32_t));
  });
}

// From their first to their last byte.
bool overlap(const Region& a, const Region& b) {
  return vector::overlap(a.first(), a.end(), b.first(), b.end());
}

void footprint(const GatherRecord& record, const LanePlan& plan, Footprint& footprint) {
  const unsigned width = width_of(record);
  if (plan.repeats() == 0) return;
  add_offsets(footprint, record.offset, "srcOffsetLocal", plan);
  add_lanes(footprint, {&record.dst, dst_layout_of(record, plan), "dstLocal"}, Access::kWrite,
            plan);
  const Memory* memory = footprint.settle();
  if (memory == nullptr) return;
  const auto* offsets = reinterpret_cast<const uint32_t*>(memory->data(record.offset));
  const SeenOffsets seen = seen_in(offsets, plan);
  const uint64_t start = source_start(record);
  const bool has_room = start + width <= footprint.soc().size_of(Space::kUb);
  const uint64_t limit = has_room ? last_offset(start, width, footprint.soc()) : 0;
  if (!has_room || seen.most > limit || seen.bits % width != 0) {
    report_offset(record, footprint, plan, offsets, limit);
    return;
  }
  Region reads{record.src,
               "srcLocal",
               Access::kRead,
               false,
               start + seen.least,
               uint64_t(seen.most) - seen.least + width,
               1,
               0,
               1,
               0};
  bool overlaps = false;
  for (const Region& region : footprint.regions()) {
    if (region.access != Access::kWrite) continue;
    overlaps |= overlap(region, reads) || overlap(region, footprint.regions().front());
  }
  if (footprint.scatters({&reads, 1})) {
    reads.block_bytes = width;
    Scattered elements(footprint, reads);
    for_each_offset(offsets, plan,
                    [&](uint64_t, uint64_t, uint32_t offset) { elements.add(start + offset); });
  }
  if (overlaps) check_hazard(record, footprint, plan, offsets);
}

// `count` consecutive lanes, eight at a time: two offsets to a load and one store for all. A loop
// over single lanes spends its time on loads of offsets and on stores.
template <class T>
void gather_lanes(const uint8_t* src, const uint32_t* offset, uint64_t count, uint8_t* dst) {
  constexpr unsigned kGroup = 8;
  using Lanes [[gnu::vector_size(kGroup * sizeof(T))]] = T;
  for (uint64_t group = 0; group < count / kGroup; ++group) {
    Lanes lanes{};
#pragma GCC unroll 8
    for (unsigned i = 0; i < kGroup; i += 2) {
      uint64_t pair;
      T first, second;
      std::memcpy(&pair, offset + i, sizeof(pair));
      std::memcpy(&first, src + uint32_t(pair), sizeof(T));
      std::memcpy(&second, src + (pair >> 32), sizeof(T));
      lanes[i] = first;
      lanes[i + 1] = second;
    }
    std::memcpy(dst, &lanes, sizeof(lanes));
    offset += kGroup;
    dst += sizeof(lanes);
  }
  for (unsigned i = 0; i < count % kGroup; ++i) {
    std::memcpy(dst + i * sizeof(T), src + offset[i], sizeof(T));
  }
}

template <class T>
void gather_all(const GatherRecord& record, const LanePlan& plan, Memory& memory) {
  const uint8_t* src = memory.data(record.src) + record.base;
  const auto* offsets = reinterpret_cast<const uint32_t*>(memory.data(record.offset));
  uint8_t* dst = memory.data(record.dst);
  const uint64_t step = uint64_t(dst_layout_of(record, plan).stride.repeat) * kBlockBytes;
  const bool in_place =
      record.dst.address == source_start(record) || record.dst.address == record.offset.address;
  if (plan.contiguous() && !in_place) {
    gather_lanes<T>(src, offsets, plan.count(), dst);
    return;
  }
  for (uint64_t repeat = 0; repeat < plan.repeats(); ++repeat) {
    const uint32_t* offset = offsets + repeat * plan.lanes();
    uint8_t* lanes = dst + repeat * step;
    // In place, legal for a single repeat: all of it is read before any is written.
    alignas(64) uint8_t read[kRepeatBytes];
    uint8_t* to = in_place ? read : lanes;
    const auto gather_run = [&](LaneRun run) {
      gather_lanes<T>(src, offset + run.begin, run.end - run.begin, to + run.begin * sizeof(T));
    };
    plan.for_each_run(repeat, gather_run);
    if (!in_place) continue;
    plan.for_each_run(repeat, [&](LaneRun run) {
      std::memcpy(lanes + run.begin * sizeof(T), read + run.begin * sizeof(T),
                  (run.end - run.begin) * sizeof(T));
    });
  }
}

void run(const GatherRecord& record, const LanePlan& plan, const State&, Memory& memory) {
  with_width<kSupport>(record.src.dtype, [&]<class U>() { gather_all<U>(record, plan, memory); });
}

constexpr Functions<GatherRecord, LanePlan> kFunctions{.signature = signature,
                                                       .pipe = Pipe::kV,
                                                       .plan = plan,
                                                       .check = check,
                                                       .footprint = footprint,
                                                       .run = run,
                                                       .advance = advance_mask};

}  // namespace

extern constinit const Instruction gather =
    make_instruction<kFunctions>("gather", "Gather", "Gather", kSupport);

}  // namespace vinci::isa
