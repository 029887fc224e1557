// Vector instructions that work element by element: dst[i] = op(src0[i], src1[i], scalar). An
// instruction gives what one span of lanes becomes (family/operation.h makes that from what one
// element becomes); this file gives checks, footprint, and the walk.
#pragma once

#include "core/instruction.h"
#include "isa/family/walk.h"

namespace vinci::vector {

// The operands of a call, and its lanes. Points into the record.
struct ElementwisePlan {
  View view;
  LanePlan lanes;
};

// The operands of a record; its sources are those that have a type. A repeat has as many lanes as
// 256 bytes have of the widest type, 128 at most. In the count form all data lie without gaps,
// whatever the strides; with one source a block stride of dst of 0 counts as 1. Errors call the
// operands dst, and src, or src0 and src1. See docs/spec/vector.md.
[[gnu::hot]] View view_of(const ElementwiseRecord& record);

// The record has so many sources, 0 to 2, all of one type; else kCombination.
void check_sources(const ElementwiseRecord& record, unsigned sources, Check& check);
// Rules of operands (in UB, at a datablock), lanes (check_lanes) and overlap (check_overlap), in
// this order, and a warning (kWrittenTwice) where a dst stride of 0 loses results.
// `accumulates`: dst may overlap src1 if a repeat stride is 0.
[[gnu::hot]] void check_view(const ElementwisePlan& plan, const Lanes& lanes, bool accumulates,
                             Check& check);
// The bytes of the enabled lanes: of sources read, of dst written.
[[gnu::hot]] void add_view(const ElementwisePlan& plan, Footprint& footprint);

template <class R>
void no_rules(const R&, Check&) {}

// dst's type, and the sources' if it is another one.
template <class R>
Signature signature_of(const R& record) {
  if (record.src0.dtype == DType::kNone) return record.dst.dtype;
  return types_of(record.dst.dtype, record.src0.dtype);
}
// `state`: when the call is issued.
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

// What sets an instruction of this family apart: the type of its records, a struct made from
// ElementwiseRecord, how many sources these have, and functions on them.
//   compute(record, state, rows)   what the lanes become, those too that are not enabled: fills the
//                                  rows' dst, as walk() says; or (record, state, memory, rows)
//   check(record, check)           rules of its own, asked after those of all
//   view(record)                   its operands
//   accumulates(record)            whether dst may overlap src1 to sum up
//   signature(record)              its types, as `support` has them
//   more                           footprint(record, plan, regions), added to the operands' own,
//   and
//                                  inspect, as in Functions
// `mnemonic` is the file's name, `api` what documents and messages call it. family/arithmetic.h has
// shorter forms for what an operation on one element says.
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
