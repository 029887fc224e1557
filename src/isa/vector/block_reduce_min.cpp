// block_reduce_min: the smallest of the lanes of each datablock.
//
// Sources and decisions: docs/spec/block_reduce_min.md, docs/spec/reduction.md.
#include "isa/family/reduce.h"

namespace vinci::isa {

extern constinit const Instruction block_reduce_min =
    vector::reduce_instruction<vector::Reduction::kMin, vector::Group::kBlock>("block_reduce_min",
                                                                               "BlockReduceMin");

}  // namespace vinci::isa
