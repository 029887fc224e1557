// cross_core_set_flag: sets a flag that other cores of the launch wait for.
//
// Sources and decisions: docs/spec/cross_core_set_flag.md.
#include <fmt/format.h>

#include "core/core.h"
#include "core/cores/cross_flags.h"
#include "isa/sync/sync.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
namespace {

void check(const CrossCoreSetRecord& record, Check& check) {
  check.range("modeId", record.mode, 0, 2);
  check.range("flagId", record.flag, 0, CrossFlags::kFlags - 1);
  const auto pipe = Pipe(record.pipe);
  if (pipe == Pipe::kS || pipe == Pipe::kAll || pipe >= Pipe::kNone) {
    check.fail(Code::kRange, fmt::format("pipe {} is not legal", record.pipe),
               "PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3 or PIPE_FIX");
  }
}

// What a check would refuse is cut off to what the chip has: it may be off.
void act(const CrossCoreSetRecord& record, Core& core) {
  core.set_cross_flag(int(record.mode % 3), int(record.flag % CrossFlags::kFlags),
                      Pipe(record.pipe % kPipes));
}

}  // namespace

extern constinit const Instruction cross_core_set_flag =
    sync::sync_instruction<CrossCoreSetRecord, act, check>("cross_core_set_flag",
                                                           "CrossCoreSetFlag", sync::kSplitChips);

}  // namespace vinci::isa
