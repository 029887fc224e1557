// mrg_sort4: up to four sorted queues of region proposals become one.
//
// Sources and decisions: docs/spec/mrg_sort4.md.
#include "isa/family/sort.h"

namespace vinci::isa {
namespace {

vector::MergeLayout layout(DType dtype) {
  const unsigned width = bits_of(dtype) / 8;
  const unsigned proposal = vector::kProposalElements * width;
  return {proposal, vector::kScoreField * width, proposal, proposal, 1};
}

}  // namespace

extern constinit const Instruction mrg_sort4 =
    vector::merge_instruction<layout>("mrg_sort4", "MrgSort4", vector::kProposalSupport);

}  // namespace vinci::isa
