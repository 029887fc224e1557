// reduce_max: the largest of the enabled elements and its index.
//
// Sources and decisions: docs/spec/reduce_max.md, docs/spec/reduction.md.
#include "isa/family/reduce_all.h"

namespace vinci::isa {

extern constinit const Instruction reduce_max =
    vector::reduce_all_instruction<vector::Reduction::kMax>("reduce_max", "ReduceMax");

}  // namespace vinci::isa
