// bilinear_interpolation: datablocks that offsets point to, times weights, summed up.
//
// Sources and decisions: docs/spec/bilinear_interpolation.md.
#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/family/block_repeats.h"
#include "isa/family/operation.h"
#include "isa/family/scattered.h"
#include "vinci/record/bilinear.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

constexpr unsigned kLanes = 128, kBlockLanes = 16;
constexpr Signature kTypes[] = {DType::kHalf};
constexpr Support kSupport[] = {{kArch2002 | kArch2201, kTypes, true, kAscendC}};

Signature signature(const BilinearRecord& record) { return record.dst.dtype; }

LanePlan plan(const BilinearRecord& record, const State& state) {
  return {record.lanes, state.registers.mask, kLanes};
}

uint64_t repeats_of(const BilinearRecord& record) {
  return uint64_t(record.h_repeats) * record.v_repeats;
}
uint64_t offset_bytes(const BilinearRecord& record) {
  return repeats_of(record) * kRepeatBlocks * sizeof(uint32_t);
}
uint64_t weight_bytes(const BilinearRecord& record) {
  return repeats_of(record) * (record.factor_of_block ? kRepeatBlocks : 1) * 2;
}
uint64_t block_in_dst(const BilinearRecord& record, unsigned block) {
  return uint64_t(block) * record.dst_block_stride * kBlockBytes;
}
// Of dst, one vertical repeat, and all.
uint64_t repeat_bytes(const BilinearRecord& record) {
  return block_in_dst(record, kRepeatBlocks - 1) + kBlockBytes;
}
uint64_t dst_bytes(const BilinearRecord& record) {
  return (record.v_repeats - 1) * uint64_t(record.v_offset) * 2 + repeat_bytes(record);
}

void check_apart(const BilinearRecord& record, Check& check) {
  struct Range {
    const char* name;
    const Operand& operand;
    uint64_t bytes;
  };
  const Range ranges[] = {{"dst", record.dst, dst_bytes(record)},
                          {"src0Offset", record.src0_offset, offset_bytes(record)},
                          {"src1", record.src1, weight_bytes(record)},
                          {"sharedTmpBuffer", record.tmp, record.tmp_bytes}};
  for (const Range& a : ranges) {
    for (const Range* b = &a + 1; b != std::end(ranges); ++b) {
      if (!overlap(a.operand.address, a.operand.address + a.bytes, b->operand.address,
                   b->operand.address + b->bytes)) {
        continue;
      }
      check.fail(Code::kOverlap, fmt::format("{} and {} overlap", a.name, b->name), "no overlap");
      return;
    }
  }
}

void check(const BilinearRecord& record, const LanePlan& plan, Check& check) {
  check_operand("dst", record.dst, check);
  check_operand("src0", record.src0, check);
  check_operand("src0Offset", record.src0_offset, check);
  check_operand("src1", record.src1, check);
  check_operand("sharedTmpBuffer", record.tmp, check);
  check.range("hRepeat", record.h_repeats, 1, 255);
  check.range("vRepeat", record.v_repeats, 1, 255);
  check.range("vROffset", record.v_offset, 128, 65534);
  check.multiple("vROffset", record.v_offset, kBlockLanes);
  check_lanes(record.lanes, kLanes, false, false, check);
  if (!check.ok()) return;
  if (plan.repeats() != 1) {
    check.fail(Code::kMask, fmt::format("{} elements in Counter mode", plan.count()), "1..128");
  }
  if (record.v_repeats > 1 && repeat_bytes(record) > uint64_t(record.v_offset) * 2) {
    check.fail(Code::kOverlap,
               fmt::format("vROffset is {}, and a vertical repeat has {} elements from its first "
                           "to its last",
                           record.v_offset, repeat_bytes(record) / 2),
               fmt::format("{} at least", repeat_bytes(record) / 2));
  }
  if (check.ok()) check_apart(record, check);
}

void footprint(const BilinearRecord& record, const LanePlan& plan, Footprint& footprint) {
  footprint.add_bytes(record.src0_offset, "src0Offset", Access::kRead, 0, offset_bytes(record));
  footprint.add_bytes(record.src1, "src1", Access::kRead, 0, weight_bytes(record));
  footprint.add_bytes(record.tmp, "sharedTmpBuffer", Access::kWrite, 0, record.tmp_bytes);
  // Blocks of one row as repeats of one block, so that lanes may end anywhere.
  plan.for_each_run(0, [&](LaneRun run) {
    for (unsigned lane = run.begin; lane < run.end;) {
      const unsigned end = std::min(run.end, lane / kBlockLanes * kBlockLanes + kBlockLanes);
      const uint64_t at = block_in_dst(record, lane / kBlockLanes) + lane % kBlockLanes * 2;
      footprint.add({record.dst, "dst", Access::kWrite, true, record.dst.address + at,
                     (end - lane) * 2, 1, 0, record.v_repeats, int64_t(record.v_offset) * 2});
      lane = end;
    }
  });
  const Memory* memory = footprint.settle();
  if (memory == nullptr) return;
  const auto* offsets = reinterpret_cast<const uint32_t*>(memory->data(record.src0_offset));
  const std::span<const uint32_t> all(offsets, repeats_of(record) * kRepeatBlocks);
  if (!add_blocks_at(footprint, record.src0, "src0", "src0Offset", all)) return;
  for (const uint32_t offset : all) {
    const uint64_t at = record.src0.address + offset;
    if (!overlap(at, at + kBlockBytes, record.dst.address,
                 record.dst.address + dst_bytes(record))) {
      continue;
    }
    footprint.fail(Code::kOverlap, fmt::format("src0 is read at byte {} of UB, inside dst", at),
                   "no overlap");
    return;
  }
}

using Halves = std::array<uint16_t, kLanes>;

// The datablocks of one repeat times its weights.
Halves products(const BilinearRecord& record, uint64_t repeat, bool saturate,
                const Memory& memory) {
  const auto* offsets = reinterpret_cast<const uint32_t*>(memory.data(record.src0_offset));
  const auto* weights = reinterpret_cast<const uint16_t*>(memory.data(record.src1));
  const uint8_t* src = memory.data(record.src0);
  float exact[kLanes];
  for (unsigned block = 0; block < kRepeatBlocks; ++block) {
    const auto* from =
        reinterpret_cast<const uint16_t*>(src + offsets[repeat * kRepeatBlocks + block]);
    const uint64_t at = record.factor_of_block ? repeat * kRepeatBlocks + block : repeat;
    const float weight = float_of_half(weights[at]);
    for (unsigned i = 0; i < kBlockLanes; ++i) {
      exact[block * kBlockLanes + i] = float_of_half(from[i]) * weight;
    }
  }
  Halves made;
  halves_of_floats(exact, made.data(), kLanes, saturate);
  return made;
}

// Sums that are exact before they are rounded once.
void add(const Halves& more, bool saturate, Halves& sums) {
  float exact[kLanes];
  for (unsigned i = 0; i < kLanes; ++i) {
    exact[i] =
        float_of_number_odd(double(float_of_half(sums[i])) + double(float_of_half(more[i])));
  }
  halves_of_floats(exact, sums.data(), kLanes, saturate);
}

void run(const BilinearRecord& record, const LanePlan& plan, const State& state, Memory& memory) {
  const bool saturate = state.registers.overflow.floats_saturate;
  uint8_t* dst = memory.data(record.dst);
  for (uint64_t v = 0; v < record.v_repeats; ++v) {
    Halves sums = products(record, v * record.h_repeats, saturate, memory);
    for (uint64_t h = 1; h < record.h_repeats; ++h) {
      add(products(record, v * record.h_repeats + h, saturate, memory), saturate, sums);
    }
    plan.for_each_run(0, [&](LaneRun lanes) {
      for (unsigned lane = lanes.begin; lane < lanes.end; ++lane) {
        const uint64_t at = v * record.v_offset * 2 + block_in_dst(record, lane / kBlockLanes);
        std::memcpy(dst + at + lane % kBlockLanes * 2, &sums[lane], 2);
      }
    });
  }
  std::memset(memory.data(record.tmp), 0xFF, record.tmp_bytes);
}

constexpr Functions<BilinearRecord, LanePlan> kFunctions{.signature = signature,
                                                         .pipe = Pipe::kV,
                                                         .plan = plan,
                                                         .check = check,
                                                         .footprint = footprint,
                                                         .run = run,
                                                         .advance = advance_mask};

}  // namespace

extern constinit const Instruction bilinear_interpolation = make_instruction<kFunctions>(
    "bilinear_interpolation", "BilinearInterpolation", "BilinearInterpolation", kSupport);

}  // namespace vinci::isa
