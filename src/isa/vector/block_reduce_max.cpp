// block_reduce_max: the largest of the lanes of each datablock.
//
// Sources and decisions: docs/spec/block_reduce_max.md, docs/spec/reduction.md.
#include "isa/family/reduce.h"

namespace vinci::isa {

extern constinit const Instruction block_reduce_max =
    vector::reduce_instruction<vector::Reduction::kMax, vector::Group::kBlock>("block_reduce_max",
                                                                               "BlockReduceMax");

}  // namespace vinci::isa
