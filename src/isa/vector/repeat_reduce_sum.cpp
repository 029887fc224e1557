// repeat_reduce_sum: the sum of each repeat's lanes, as whole_reduce_sum.
//
// Sources and decisions: docs/spec/repeat_reduce_sum.md, docs/spec/reduction.md.
#include "isa/family/reduce.h"

namespace vinci::isa {

extern constinit const Instruction repeat_reduce_sum =
    vector::reduce_instruction<vector::Reduction::kSum, vector::Group::kRepeat>("repeat_reduce_sum",
                                                                                "RepeatReduceSum");

}  // namespace vinci::isa
