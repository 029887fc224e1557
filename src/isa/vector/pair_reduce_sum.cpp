// pair_reduce_sum: the sums of neighbouring lanes.
//
// Sources and decisions: docs/spec/pair_reduce_sum.md, docs/spec/reduction.md.
#include "isa/family/reduce.h"

namespace vinci::isa {

extern constinit const Instruction pair_reduce_sum =
    vector::reduce_instruction<vector::Reduction::kSum, vector::Group::kPair>("pair_reduce_sum",
                                                                              "PairReduceSum");

}  // namespace vinci::isa
