// whole_reduce_sum: the sum of each repeat's lanes.
//
// Sources and decisions: docs/spec/whole_reduce_sum.md, docs/spec/reduction.md.
#include "isa/family/reduce.h"

namespace vinci::isa {

extern constinit const Instruction whole_reduce_sum =
    vector::reduce_instruction<vector::Reduction::kSum, vector::Group::kRepeat,
                               vector::kReduceSumSupport>("whole_reduce_sum", "WholeReduceSum");

}  // namespace vinci::isa
