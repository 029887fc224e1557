// reduce_min: the smallest of the enabled elements and its index.
//
// Sources and decisions: docs/spec/reduce_min.md, docs/spec/reduction.md.
#include "isa/family/reduce_all.h"

namespace vinci::isa {

extern constinit const Instruction reduce_min =
    vector::reduce_all_instruction<vector::Reduction::kMin>("reduce_min", "ReduceMin");

}  // namespace vinci::isa
