// set_fix_pipe_clip_relu: the largest result of later DataCopy out of L0C with clipReluPre.
//
// Sources and decisions: docs/spec/set_fix_pipe_clip_relu.md.
#include <fmt/format.h>

#include "core/setter.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch3002, setter::kNoElements}};

constexpr uint16_t kInfinity = 0x7C00;  // halves above 0 and below it are finite and positive

void check(const SetFixPipeClipReluRecord& record, Check& check) {
  const auto half = uint16_t(record.config);
  if (half != 0 && half < kInfinity) return;
  check.fail(Code::kRange, fmt::format("bits 0 to 15 of config are {:#06x}", half),
             "a half above 0, and no infinity or NaN: 0x0001..0x7bff");
}

void write(const SetFixPipeClipReluRecord& record, Registers& registers) {
  registers.fixpipe.clip = uint16_t(record.config);
  registers.fixpipe.has_clip = true;
}

}  // namespace

extern constinit const Instruction set_fix_pipe_clip_relu =
    setter::setter_instruction<SetFixPipeClipReluRecord, write, check>(
        "set_fix_pipe_clip_relu", "SetFixPipeClipRelu", kSupport);

}  // namespace vinci::isa
