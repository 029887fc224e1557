// vbi: sums of datablocks that offsets point to, each times a number. TIK's form of
// BilinearInterpolation.
//
// Sources and decisions: docs/spec/vbi.md.
#include <cstring>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/family/block_offsets.h"
#include "isa/family/block_repeats.h"
#include "isa/family/types.h"
#include "kernel/half_array.h"
#include "vinci/record/vbi.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

constexpr Signature kTypes[] = {DType::kHalf};
constexpr Support kSupport[] = {{kArch2201 | kArch3002, kTypes, true, kTik}};
constexpr unsigned kLanes = 128;
constexpr unsigned kPerBlock = kBlockBytes / sizeof(uint16_t);

Signature signature(const VbiRecord& record) {
  const DType dst = record.dst.dtype, src0 = record.src0.dtype, src1 = record.src1.dtype;
  return dst == src0 && dst == src1 ? Signature(dst) : Signature(dst, src0, src1);
}

LanePlan plan(const VbiRecord& record, const State& state) {
  return {record.lanes, state.registers.mask, kLanes};
}

uint64_t terms_of(const VbiRecord& record) { return uint64_t(record.lanes.repeats) * record.terms; }
uint64_t factors_of(const VbiRecord& record) {
  return terms_of(record) * (record.factor_each_block ? kRepeatBlocks : 1);
}

// A block stride of 0 counts as 1.
Layout dst_layout_of(const VbiRecord& record) {
  return layout_of(DType::kHalf, {std::max<uint16_t>(record.dst_block_stride, 1),
                                  uint16_t(record.dst_step / kPerBlock)});
}

void check(const VbiRecord& record, const LanePlan&, Check& check) {
  check_operand("dst", record.dst, check);
  check_operand("src0", record.src0, check);
  check_operand("src1", record.src1, check);
  check_operand("src0_offset", record.offset, check);
  check.range("vertical_repeat_times", record.lanes.repeats, 0, 255);
  check.range("horizontal_repeat_times", record.terms, 0, 255);
  check.range("vertical_repeat_offset", record.dst_step, 128, 65534);
  check.multiple("vertical_repeat_offset", record.dst_step, kPerBlock);
  check_lanes(record.lanes, kLanes, false, false, check);
  const uint64_t span = block_at(dst_layout_of(record).stride, 0, kRepeatBlocks - 1) + kBlockBytes;
  const uint64_t step = record.dst_step * sizeof(uint16_t);
  if (check.ok() && record.lanes.repeats > 1 && step < span) {
    check.fail(
        Code::kOverlap,
        fmt::format("vertical_repeat_offset is {}, and a sum reaches over {} elements of dst",
                    record.dst_step, span / sizeof(uint16_t)),
        fmt::format("{} at least", span / sizeof(uint16_t)));
  }
}

// The bytes of dst that are written, from the first to the last.
std::pair<uint64_t, uint64_t> written(const VbiRecord& record) {
  const Stride stride = dst_layout_of(record).stride;
  return {record.dst.address, record.dst.address +
                                  block_at(stride, record.lanes.repeats - 1, kRepeatBlocks - 1) +
                                  kBlockBytes};
}

void check_apart(const VbiRecord& record, Footprint& footprint, const Region& src0) {
  struct Part {
    const char* name;
    uint64_t begin, end;
  };
  const auto [first, end] = written(record);
  const uint64_t src1 = record.src1.address, offset = record.offset.address;
  const Part parts[] = {
      {"dst", first, end},
      {"src0", src0.first(), src0.end()},
      {"src1", src1, src1 + factors_of(record) * sizeof(uint16_t)},
      {"src0_offset", offset, offset + terms_of(record) * kRepeatBlocks * sizeof(uint32_t)}};
  for (const Part& one : parts) {
    for (const Part* other = &one + 1; other != std::end(parts); ++other) {
      if (!overlap(one.begin, one.end, other->begin, other->end)) continue;
      footprint.fail(Code::kOverlap, fmt::format("{} and {} overlap", one.name, other->name),
                     "no overlap");
      return;
    }
  }
}

void footprint(const VbiRecord& record, const LanePlan& plan, Footprint& footprint) {
  const uint64_t blocks = terms_of(record) * kRepeatBlocks;
  if (blocks == 0) return;
  footprint.add_bytes(record.offset, "src0_offset", Access::kRead, 0, blocks * sizeof(uint32_t));
  footprint.add_bytes(record.src1, "src1", Access::kRead, 0, factors_of(record) * sizeof(uint16_t));
  add_lanes(footprint, {&record.dst, dst_layout_of(record), "dst"}, Access::kWrite, plan);
  const Memory* memory = footprint.settle("src0_offset");
  if (memory == nullptr) return;
  const auto* offsets = reinterpret_cast<const uint32_t*>(memory->data(record.offset));
  const BlockOffsets sources{record.src0, "src0", "src0_offset", offsets, blocks};
  if (report_block_offset(footprint, sources)) return;
  add_read(footprint, sources);
  check_apart(record, footprint, span_of(sources));
}

// Where a sum stands, its eight datablocks one behind the other: products and sums become halves.
class Total {
 public:
  explicit Total(bool saturate) : saturate_(saturate) {}

  // `term`: which of the sum; `source(b)` and `factor(b)`: of datablock b.
  void add(unsigned term, auto source, auto factor) {
    for (unsigned block = 0; block < kRepeatBlocks; ++block) {
      float numbers[kPerBlock];
      uint16_t products[kPerBlock];
      floats_of_halves(source(block), numbers, kPerBlock);
      const float by = float_of_half(factor(block));
      for (float& number : numbers) number *= by;
      halves_of_floats(numbers, products, kPerBlock, saturate_);
      if (term == 0) {
        std::copy_n(products, kPerBlock, sum_ + block * kPerBlock);
      } else {
        add_halves(products, sum_ + block * kPerBlock);
      }
    }
  }
  const uint16_t* halves() const { return sum_; }

 private:
  void add_halves(const uint16_t* products, uint16_t* sums) const {
    float numbers[kPerBlock], before[kPerBlock];
    floats_of_halves(products, numbers, kPerBlock);
    floats_of_halves(sums, before, kPerBlock);
    for (unsigned i = 0; i < kPerBlock; ++i) numbers[i] += before[i];
    halves_of_floats(numbers, sums, kPerBlock, saturate_);
  }

  bool saturate_;
  uint16_t sum_[kLanes] = {};
};

void run(const VbiRecord& record, const LanePlan& plan, const State& state, Memory& memory) {
  const uint8_t* src0 = memory.data(record.src0);
  const auto* offsets = reinterpret_cast<const uint32_t*>(memory.data(record.offset));
  const auto* factors = reinterpret_cast<const uint16_t*>(memory.data(record.src1));
  const Stride stride = dst_layout_of(record).stride;
  if (record.terms == 0) return;
  for (uint64_t repeat = 0; repeat < plan.repeats(); ++repeat) {
    Total total(state.registers.overflow.floats_saturate);
    for (unsigned term = 0; term < record.terms; ++term) {
      const uint64_t at = repeat * record.terms + term;
      total.add(
          term,
          [&](unsigned block) {
            return reinterpret_cast<const uint16_t*>(src0 + offsets[at * kRepeatBlocks + block]);
          },
          [&](unsigned block) {
            return factors[record.factor_each_block ? at * kRepeatBlocks + block : at];
          });
    }
    uint8_t* dst = memory.data(record.dst);
    plan.for_each_run(repeat, [&](LaneRun run) {
      for (unsigned i = run.begin; i < run.end; ++i) {
        std::memcpy(dst + block_at(stride, repeat, i / kPerBlock) + i % kPerBlock * 2,
                    total.halves() + i, sizeof(uint16_t));
      }
    });
  }
}

constexpr Functions<VbiRecord, LanePlan> kFunctions{.signature = signature,
                                                    .pipe = Pipe::kV,
                                                    .plan = plan,
                                                    .check = check,
                                                    .footprint = footprint,
                                                    .run = run,
                                                    .advance = advance_mask};

}  // namespace

extern constinit const Instruction vbi =
    make_instruction<kFunctions>("vbi", "vbi", "vbi", kSupport);

}  // namespace vinci::isa
