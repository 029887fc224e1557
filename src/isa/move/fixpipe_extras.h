// What the fixed pipe does to half results behind their conversion: a bound, and a sum with a
// tensor of L1.
#pragma once

#include "core/instruction.h"
#include "core/operator_support.h"
#include "vinci/record/move.h"

namespace vinci::isa::fixpipe_extras {

inline bool asked(const FixpipeRecord& record) {
  return record.clip_relu != 0 || record.element_wise != 0;
}

// The chip has them, the registers are set, and the results are ones that the documents give them
// to.
void check(const FixpipeRecord& record, Check& check);

// What is read of the tensor.
void add_footprint(const FixpipeRecord& record, Footprint& footprint);

// `count` results of a row, from a column on: columns of one block of 16.
void apply(const FixpipeRecord& record, const State& state, Memory& memory, uint64_t row,
           uint64_t column, uint64_t count, uint16_t* halves);

}  // namespace vinci::isa::fixpipe_extras
