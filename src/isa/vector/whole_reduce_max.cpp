// whole_reduce_max: the largest of each repeat's lanes and its number.
//
// Sources and decisions: docs/spec/whole_reduce_max.md, docs/spec/reduction.md.
#include "isa/family/reduce.h"

namespace vinci::isa {

extern constinit const Instruction whole_reduce_max =
    vector::reduce_instruction<vector::Reduction::kMax, vector::Group::kRepeat>("whole_reduce_max",
                                                                                "WholeReduceMax");

}  // namespace vinci::isa
