// set_hf32_trans_mode: where Mmad in HF32 mode rounds ties to.
//
// Sources and decisions: docs/spec/set_hf32_trans_mode.md.
#include "core/core.h"
#include "core/instruction.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

constexpr Signature kTypes[] = {Signature()};
constexpr Support kSupport[] = {{kArch2201 | kArch3002, kTypes}};

Signature signature(const SetHf32Record&) { return {}; }
Pipe pipe(const SetHf32Record&, const Soc&) { return Pipe::kS; }
void check(const SetHf32Record&, Check&) {}
void footprint(const SetHf32Record&, Core&, Footprint&) {}

void execute(const SetHf32Record& record, Core& core) {
  core.registers().hf32.ties_away = record.value;
}

}  // namespace

extern constinit const Instruction set_hf32_trans_mode =
    make_instruction<SetHf32Record, signature, pipe, check, footprint, execute>(
        "set_hf32_trans_mode", "SetHF32TransMode", "SetHF32TransMode", kSupport);

}  // namespace vinci::isa
