// Vector instructions that work element by element: dst[i] = op(src0[i], src1[i], scalar). An
// instruction gives what one span of lanes becomes (family/operation.h makes that from what one
// element becomes); this file gives checks, footprint, and the walk.
#pragma once

#include "core/instruction.h"
#include "isa/family/walk.h"

namespace vinci::vector {

// The operands of a call, and its lanes.
struct ElementwisePlan {
  View view;
  LanePlan lanes;
};

// The operands of a record; its sources are those that have a type.
View view_of(const ElementwiseRecord& record);

// The record has so many sources, all of one type.
void check_sources(const ElementwiseRecord& record, unsigned sources, Check& check);
// Rules of operands, lanes, overlap. `accumulates`: dst may overlap src1 if a repeat stride is 0.
void check_view(const ElementwisePlan& plan, const Lanes& lanes, bool accumulates, Check& check);
void add_view(const ElementwisePlan& plan, Footprint& footprint);

template <class R>
void no_rules(const R&, Check&) {}

// What sets an instruction of this family apart: how many sources its records have, and functions
// on them.
//   compute(record, state, rows)   what the lanes become; or (record, state, memory, rows)
//   check(record, check)           rules of its own
//   view(record)                   its operands
//   accumulates(record)            whether dst may overlap src1 to sum up
//   signature(record)              its types
//   more                           footprint(record, plan, regions) and inspect, as in Functions
template <class R>
Signature signature_of(const R& record) {
  if (record.src0.dtype == DType::kNone) return record.dst.dtype;
  return types_of(record.dst.dtype, record.src0.dtype);
}
inline ElementwisePlan plan_of(const View& view, const Lanes& lanes, const State& state) {
  return {view, LanePlan(lanes, state.registers.mask, view.lanes)};
}
inline bool never_accumulates(const ElementwiseRecord&) { return false; }

template <class R>
inline constexpr Functions<R, ElementwisePlan> kNothingMore{};

template <class R, unsigned sources, auto compute, auto check, auto view, auto accumulates,
          auto signature, const auto& more>
inline constexpr Functions<R, ElementwisePlan> kElementwise{
    .signature = signature,
    .pipe = Pipe::kV,
    .plan = [](const R& record,
               const State& state) { return plan_of(view(record), record.lanes, state); },
    .check =
        [](const R& record, const ElementwisePlan& plan, Check& c) {
          check_sources(record, sources, c);
          if (c.ok()) check_view(plan, record.lanes, accumulates(record), c);
          if (c.ok()) check(record, c);
        },
    .footprint =
        [](const R& record, const ElementwisePlan& plan, Footprint& regions) {
          add_view(plan, regions);
          if constexpr (more.footprint.given) more.footprint.call(record, plan, regions);
        },
    .inspect = more.inspect,
    .run =
        [](const R& record, const ElementwisePlan& plan, const State& state, Memory& memory) {
          walk(plan.view, plan.lanes, memory, [&](const LaneRows& rows) {
            if constexpr (std::is_invocable_v<decltype(compute), const R&, const State&, Memory&,
                                              const LaneRows&>) {
              compute(record, state, memory, rows);
            } else {
              compute(record, state, rows);
            }
          });
        },
    .advance = advance_mask};

template <class R, unsigned sources, auto compute, auto check = no_rules<R>, auto view = view_of,
          auto accumulates = never_accumulates, auto signature = signature_of<R>,
          const auto& more = kNothingMore<R>>
constexpr Instruction elementwise_instruction(std::string_view mnemonic, std::string_view api,
                                              std::span<const Support> support) {
  return make_instruction<
      kElementwise<R, sources, compute, check, view, accumulates, signature, more>>(mnemonic, api,
                                                                                    api, support);
}

}  // namespace vinci::vector
