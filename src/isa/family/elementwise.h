// Vector instructions that work element by element: dst[i] = op(src0[i], src1[i], scalar). An
// instruction gives what one span of lanes becomes (family/operation.h makes that from what one
// element becomes); this file gives checks, footprint, and the walk.
#pragma once

#include "core/instruction.h"
#include "isa/family/walk.h"

namespace vinci::vector {

// The operands of a record; its sources are those that have a type.
View view_of(const ElementwiseRecord& record);

// The record has so many sources, all of one type.
void check_sources(const ElementwiseRecord& record, unsigned sources, Check& check);
// Rules of operands, lanes, overlap. `accumulates`: dst may overlap src1 if a repeat stride is 0.
void check_view(const View& view, const Lanes& lanes, bool accumulates, Check& check);
void add_view(const View& view, const Lanes& lanes, const Core& core, Footprint& footprint);

template <class R>
void no_rules(const R&, Check&) {}

// What sets an instruction of this family apart: how many sources its records have, and functions
// on them.
//   compute(record, core, rows)    what the lanes become
//   check(record, check)           rules of its own
//   view(record)                   its operands
//   accumulates(record)            whether dst may overlap src1 to sum up
//   signature(record)              its types; footprint(record, core, regions) what it touches
template <class R>
Signature signature_of(const R& record) {
  if (record.dst.dtype == record.src0.dtype || record.src0.dtype == DType::kNone) {
    return record.dst.dtype;
  }
  return {record.dst.dtype, record.src0.dtype};
}
template <class R, auto view>
void footprint_of(const R& record, Core& core, Footprint& regions) {
  add_view(view(record), record.lanes, core, regions);
}
inline bool never_accumulates(const ElementwiseRecord&) { return false; }

template <class R, unsigned sources, auto compute, auto check = no_rules<R>, auto view = view_of,
          auto accumulates = never_accumulates, auto signature = signature_of<R>,
          auto footprint = footprint_of<R, view>>
constexpr Instruction elementwise_instruction(std::string_view mnemonic, std::string_view api,
                                              std::span<const Support> support) {
  constexpr auto pipe = [](const R&, const Soc&) { return Pipe::kV; };
  constexpr auto check_all = [](const R& record, Check& c) {
    check_sources(record, sources, c);
    if (c.ok()) check_view(view(record), record.lanes, accumulates(record), c);
    if (c.ok()) check(record, c);
  };
  constexpr auto execute = [](const R& record, Core& core) {
    const View operands = view(record);
    MaskRegister& mask = core.registers().mask;
    walk(operands, LanePlan(record.lanes, mask, operands.lanes), core,
         [&](const LaneRows& rows) { compute(record, core, rows); });
    mask = mask_after(record.lanes, mask, operands.lanes, core.soc());
  };
  return make_instruction<R, signature, pipe, check_all, footprint, execute>(mnemonic, api, api,
                                                                             support);
}

}  // namespace vinci::vector
