// set_rpn_cor_ir: what rpn_cor adds to, a bit for each of 16 region proposals. TIK alone has it.
//
// Sources and decisions: docs/spec/set_rpn_cor_ir.md.
#include "core/setter.h"
#include "isa/family/suppression.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

constexpr Support kSupport[] = {
    {kArch1000 | kArch1001 | kArch2002, setter::kNoElements, true, kTik}};

void check(const SetProposalRegisterRecord& record, Check& check) {
  check.range("number", int64_t(record.value), 0, UINT16_MAX);
}

void footprint(const SetProposalRegisterRecord&, Footprint& footprint) {
  add_suppressed(footprint, Access::kWrite);
}

void run(const SetProposalRegisterRecord& record, const State&, Memory& memory) {
  memory.cells().suppressed = uint16_t(record.value);
}

constexpr Functions<SetProposalRegisterRecord> kFunctions{
    .signature = setter::no_elements<SetProposalRegisterRecord>,
    .pipe = Pipe::kV,
    .check = check,
    .footprint = footprint,
    .run = run};

}  // namespace

extern constinit const Instruction set_rpn_cor_ir =
    make_instruction<kFunctions>("set_rpn_cor_ir", "set_rpn_cor_ir", "set_rpn_cor_ir", kSupport);

}  // namespace vinci::isa
