// reduce_sum: the sum of the enabled elements.
//
// Sources and decisions: docs/spec/reduce_sum.md, docs/spec/reduction.md.
#include "isa/family/reduce_all.h"

namespace vinci::isa {

extern constinit const Instruction reduce_sum =
    vector::reduce_all_instruction<vector::Reduction::kSum, vector::kReduceSumSupport>("reduce_sum",
                                                                                       "ReduceSum");

}  // namespace vinci::isa
