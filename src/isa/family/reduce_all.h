// Reductions of all lanes to one value: those of the repeats, then those of their results, and so
// on, by way of a work tensor. See docs/spec/reduction.md.
#pragma once

#include "isa/family/reduce.h"

namespace vinci::vector {

// What instructions of ReduceAllRecords check, touch and do. The work tensor has room for what the
// levels leave there: else the door reports its region.
void check_reduce_all(const ReduceAllRecord& record, Reduction to, const LanePlan& plan,
                      Check& check);
void add_reduce_all(const ReduceAllRecord& record, Reduction to, const LanePlan& plan,
                    Footprint& footprint);
void run_reduce_all(const ReduceAllRecord& record, Reduction to, const LanePlan& plan,
                    const State& state, Memory& memory);

// The sums of repeats, which lie one behind the other, one by one; the first is where it begins,
// and gets what comes out.
void add_in_order(DType dtype, uint64_t count, uint8_t* sums, bool saturate);

template <Reduction to>
inline constexpr Functions<ReduceAllRecord, LanePlan> kReduceAll{
    .signature =
        [](const ReduceAllRecord& record) {
          const DType dst = record.dst.dtype, src = record.src.dtype, work = record.work.dtype;
          return dst == src && src == work ? Signature(dst) : Signature(dst, src, work);
        },
    .pipe = Pipe::kV,
    .plan = plan_reduction<ReduceAllRecord>,
    .check = [](const ReduceAllRecord& record, const LanePlan& plan,
                Check& check) { check_reduce_all(record, to, plan, check); },
    .footprint = [](const ReduceAllRecord& record, const LanePlan& plan,
                    Footprint& regions) { add_reduce_all(record, to, plan, regions); },
    .run = [](const ReduceAllRecord& record, const LanePlan& plan, const State& state,
              Memory& memory) { run_reduce_all(record, to, plan, state, memory); },
    .advance = advance_mask};

template <Reduction to, const auto& support = kReduceSupport>
constexpr Instruction reduce_all_instruction(std::string_view mnemonic, std::string_view api) {
  static_assert(names_only(support, kReduceFloats));
  return make_instruction<kReduceAll<to>>(mnemonic, api, api, support);
}

}  // namespace vinci::vector
