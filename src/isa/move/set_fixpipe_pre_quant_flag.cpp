// set_fixpipe_pre_quant_flag: the scale word for later DataCopy out of L0C.
//
// Sources and decisions: docs/spec/set_fixpipe_pre_quant_flag.md.
#include "core/core.h"
#include "core/instruction.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

constexpr Signature kTypes[] = {Signature()};
constexpr Support kSupport[] = {{kArch2201 | kArch3002, kTypes}};

Signature signature(const SetFixpipePreQuantRecord&) { return {}; }
Pipe pipe(const SetFixpipePreQuantRecord&, const Soc&) { return Pipe::kS; }

void check(const SetFixpipePreQuantRecord&, Check&) {}

void footprint(const SetFixpipePreQuantRecord&, Core&, Footprint&) {}

void execute(const SetFixpipePreQuantRecord& record, Core& core) {
  core.registers().fixpipe.scale = record.scale;
  core.registers().fixpipe.has_scale = true;
}

}  // namespace

extern constinit const Instruction set_fixpipe_pre_quant_flag =
    make_instruction<SetFixpipePreQuantRecord, signature, pipe, check, footprint, execute>(
        "set_fixpipe_pre_quant_flag", "SetFixpipePreQuantFlag", "SetFixpipePreQuantFlag", kSupport);

}  // namespace vinci::isa
