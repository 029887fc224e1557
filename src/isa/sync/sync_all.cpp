// sync_all: all cores of the launch come here before one goes on.
//
// Sources and decisions: docs/spec/sync_all.md.
#include <fmt/format.h>

#include "core/core.h"
#include "isa/sync/sync.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
namespace {

void check_pipe(const char* name, uint32_t number, Check& check) {
  const auto pipe = Pipe(number);
  if (pipe == Pipe::kMte2 || pipe == Pipe::kMte3 || pipe == Pipe::kAll) return;
  const std::string text =
      pipe < Pipe::kNone ? fmt::format("PIPE_{}", name_of(pipe)) : fmt::format("{}", number);
  check.fail(Code::kRange, fmt::format("{} {} is not legal", name, text),
             "PIPE_MTE2, PIPE_MTE3 or PIPE_ALL");
}
// The configuration is one of vector cores alone.
void check(const SyncAllRecord& record, Check& check) {
  if (!record.vector_cores_only) return;
  check_pipe("triggerPipe", record.trigger, check);
  check_pipe("waitPipe", record.waiting, check);
}

// The chip makes all pipes wait, whatever waitPipe says. What the check would refuse may be off.
void act(const SyncAllRecord& record, Core& core) {
  const Grid& grid = core.seat().grid;
  const bool is_aic = grid.kind_of(core.seat().core) == CoreKind::kAic;
  if (!record.vector_cores_only && grid.aic == 0 && grid.aiv != 0) {
    core.report(Code::kBarrierAlone,
                "SyncAll<false>: an AIV waits for the AIC of its block, and this launch has none",
                "SyncAll<true>, or a kernel for AICs and AIVs");
    core.stop();
  }
  if (record.vector_cores_only && is_aic) return;
  const bool some = record.vector_cores_only && record.trigger < uint32_t(Pipe::kNone);
  core.meet_cores(!record.vector_cores_only, some ? Pipe(record.trigger) : Pipe::kAll);
}

}  // namespace

extern constinit const Instruction sync_all =
    sync::sync_instruction<SyncAllRecord, act, check>("sync_all", "SyncAll", sync::kSplitChips);

}  // namespace vinci::isa
