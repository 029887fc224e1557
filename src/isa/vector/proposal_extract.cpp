// proposal_extract: one field of 16 region proposals a repeat becomes 16 elements.
//
// Sources and decisions: docs/spec/proposal_extract.md.
#include "isa/family/proposal_field.h"

namespace vinci::isa {

extern constinit const Instruction proposal_extract =
    vector::field_instruction<false>("proposal_extract", "ProposalExtract");

}  // namespace vinci::isa
