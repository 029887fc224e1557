// whole_reduce_min: the smallest of each repeat's lanes and its number.
//
// Sources and decisions: docs/spec/whole_reduce_min.md, docs/spec/reduction.md.
#include "isa/family/reduce.h"

namespace vinci::isa {

extern constinit const Instruction whole_reduce_min =
    vector::reduce_instruction<vector::Reduction::kMin, vector::Group::kRepeat>("whole_reduce_min",
                                                                                "WholeReduceMin");

}  // namespace vinci::isa
