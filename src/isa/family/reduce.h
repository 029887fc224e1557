// Reductions inside a repeat: its enabled lanes become one value, or those of each datablock or of
// each pair of neighbours do. An instruction says which of these, and where it exists.
// See docs/spec/reduction.md.
#pragma once

#include "core/instruction.h"
#include "isa/family/lanes.h"
#include "isa/family/types.h"

namespace vinci::vector {

enum class Reduction : uint8_t { kSum, kMax, kMin };
// The lanes that become one value.
enum class Group : uint8_t { kRepeat, kBlock, kPair };

struct ReduceKind {
  Reduction to;
  Group group;
};

inline constexpr ArchSet kReduceOlder = kArch1000 | kArch1001;
inline constexpr ArchSet kReduceNewer = kArch2002 | kArch2201 | kArch3002;
inline constexpr Signature kReduceHalf[] = {DType::kHalf};
inline constexpr Signature kReduceFloats[] = {DType::kHalf, DType::kFloat};
inline constexpr Support kReduceSupport[] = {
    {kReduceOlder, kReduceHalf},
    {kReduceNewer, kReduceFloats},
    {kArch2002Vector, kReduceFloats, true, kTik},
};
// TIK has float sums of repeats on every chip.
inline constexpr Support kReduceSumSupport[] = {
    {kReduceOlder, kReduceHalf, true, kAscendC},
    {kReduceOlder | kArch2002Vector, kReduceFloats, true, kTik},
    {kReduceNewer, kReduceFloats},
};

// src as lanes; in the count form its blocks follow each other. Strides are in datablocks.
LaneOperand reduced_lanes(const Operand& src, const Lanes& lanes, Stride stride);

// dst and src coincide at their starts or stay apart within a repeat, and no repeat writes what the
// next one reads. Each repeat writes `bytes` bytes, `step` bytes from start to start.
void check_reduce_overlap(const LaneOperand& dst, uint64_t bytes, uint64_t step,
                          const LaneOperand& src, const LanePlan& plan, Check& check);

// The lanes of a reduction whose lanes the record says.
template <class R>
LanePlan plan_reduction(const R& record, const State& state) {
  return {record.lanes, state.registers.mask, lanes_per_repeat(bits_of(record.src.dtype))};
}

// What instructions of ReduceRecords check, touch and do. Sums are those of neighbours, then of
// neighbours of these, each rounded to the type; max and min give the first of equal lanes, and the
// order of NaN and zeros is that of family/float_order.h. A group without an enabled lane leaves
// its place in dst as it was, or is filled where the chip does so (Feature::kReduceFillsEmpty).
void check_reduce(const ReduceRecord& record, ReduceKind kind, const LanePlan& plan, Check& check);
void add_reduce(const ReduceRecord& record, ReduceKind kind, const LanePlan& plan,
                Footprint& footprint);
void run_reduce(const ReduceRecord& record, ReduceKind kind, const LanePlan& plan,
                const State& state, Memory& memory);

// Whether the chip leaves the largest or smallest value of all repeats in a register too, and its
// index: repeat * lanes + lane. Without any enabled lane that is 0 and 0.
bool leaves_extreme(ReduceKind kind, const Soc& soc);
void add_extreme(Footprint& footprint);

template <Reduction to, Group group>
inline constexpr Functions<ReduceRecord, LanePlan> kReduce{
    .signature =
        [](const ReduceRecord& record) { return types_of(record.dst.dtype, record.src.dtype); },
    .pipe = Pipe::kV,
    .plan = plan_reduction<ReduceRecord>,
    .check =
        [](const ReduceRecord& record, const LanePlan& plan, Check& check) {
          check_reduce(record, {to, group}, plan, check);
        },
    .footprint =
        [](const ReduceRecord& record, const LanePlan& plan, Footprint& regions) {
          add_reduce(record, {to, group}, plan, regions);
        },
    .run =
        [](const ReduceRecord& record, const LanePlan& plan, const State& state, Memory& memory) {
          run_reduce(record, {to, group}, plan, state, memory);
        },
    .advance = advance_mask};

template <Reduction to, Group group, const auto& support = kReduceSupport>
constexpr Instruction reduce_instruction(std::string_view mnemonic, std::string_view api) {
  static_assert(names_only(support, kReduceFloats));
  return make_instruction<kReduce<to, group>>(mnemonic, api, api, support);
}

}  // namespace vinci::vector
