// Reductions inside a repeat: its enabled lanes become one value, or those of each datablock or of
// each pair of neighbours do. An instruction says which of these, and where it exists.
// See docs/spec/reduction.md.
#pragma once

#include "core/instruction.h"
#include "isa/family/lanes.h"

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

// src as lanes; in the count form its blocks follow each other.
LaneOperand reduced_lanes(const Operand& src, const Lanes& lanes, Stride stride);

// dst and src coincide at their starts or stay apart within a repeat, and no repeat writes what the
// next one reads. Each repeat writes `bytes` bytes, `step` bytes from start to start.
void check_reduce_overlap(const LaneOperand& dst, uint64_t bytes, uint64_t step,
                          const LaneOperand& src, const LanePlan& plan, Check& check);

void check_reduce(const ReduceRecord& record, ReduceKind kind, Check& check);
void add_reduce(const ReduceRecord& record, ReduceKind kind, const Core& core,
                Footprint& footprint);
// Reduces the lanes of `plan`; the MASK register stays.
void run_reduce(const ReduceRecord& record, ReduceKind kind, const LanePlan& plan, Core& core);

template <Reduction to, Group group>
inline constexpr ReduceKind kReduceKind{to, group};

template <Reduction to, Group group>
constexpr Instruction reduce_instruction(std::string_view mnemonic, std::string_view api,
                                         std::span<const Support> support) {
  constexpr auto signature = [](const ReduceRecord& record) {
    return record.dst.dtype == record.src.dtype ? Signature(record.dst.dtype)
                                                : Signature(record.dst.dtype, record.src.dtype);
  };
  constexpr auto pipe = [](const ReduceRecord&, const Soc&) { return Pipe::kV; };
  constexpr auto check = [](const ReduceRecord& record, Check& c) {
    check_reduce(record, kReduceKind<to, group>, c);
  };
  constexpr auto footprint = [](const ReduceRecord& record, Core& core, Footprint& regions) {
    add_reduce(record, kReduceKind<to, group>, core, regions);
  };
  constexpr auto execute = [](const ReduceRecord& record, Core& core) {
    const unsigned lanes = lanes_per_repeat(bits_of(record.src.dtype));
    MaskRegister& mask = core.registers().mask;
    run_reduce(record, kReduceKind<to, group>, LanePlan(record.lanes, mask, lanes), core);
    mask = mask_after(record.lanes, mask, lanes, core.soc());
  };
  return make_instruction<ReduceRecord, signature, pipe, check, footprint, execute>(mnemonic, api,
                                                                                    api, support);
}

}  // namespace vinci::vector
