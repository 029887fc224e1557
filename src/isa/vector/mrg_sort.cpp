// mrg_sort: up to four sorted queues of a score and an index become one.
//
// Sources and decisions: docs/spec/mrg_sort.md.
#include "isa/family/sort.h"

namespace vinci::isa {
namespace {

// Records have 8 bytes, whatever the type of the score, which comes first.
vector::MergeLayout layout(DType) { return {8, 0, vector::kBlockBytes, 8, 0}; }

}  // namespace

extern constinit const Instruction mrg_sort =
    vector::merge_instruction<layout>("mrg_sort", "MrgSort", vector::kSort32Support);

}  // namespace vinci::isa
