// block_reduce_sum: the sums of the lanes of each datablock.
//
// Sources and decisions: docs/spec/block_reduce_sum.md, docs/spec/reduction.md.
#include "isa/family/reduce.h"

namespace vinci::isa {

extern constinit const Instruction block_reduce_sum =
    vector::reduce_instruction<vector::Reduction::kSum, vector::Group::kBlock>("block_reduce_sum",
                                                                               "BlockReduceSum");

}  // namespace vinci::isa
