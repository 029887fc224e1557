// proposal_concat: 16 elements a repeat become one field of 16 region proposals.
//
// Sources and decisions: docs/spec/proposal_concat.md.
#include "isa/family/proposal_field.h"

namespace vinci::isa {

extern constinit const Instruction proposal_concat =
    vector::field_instruction<true>("proposal_concat", "ProposalConcat");

}  // namespace vinci::isa
