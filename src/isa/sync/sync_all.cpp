// sync_all: all cores of the launch come here before one goes on.
//
// Sources and decisions: docs/spec/sync_all.md.
#include "core/core.h"
#include "isa/sync/sync.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
namespace {

void act(const SyncAllRecord& record, Core& core) {
  const Grid& grid = core.seat().grid;
  const bool is_aic = grid.kind_of(core.seat().core) == CoreKind::kAic;
  if (!record.vector_cores_only && grid.aic == 0 && grid.aiv != 0) {
    core.report(Code::kBarrierAlone,
                "SyncAll<false>: an AIV waits for the AIC of its block, and this launch has none",
                "SyncAll<true>, or a kernel for AICs and AIVs");
    core.stop();
  }
  if (!record.vector_cores_only || !is_aic) core.meet_cores(!record.vector_cores_only);
}

}  // namespace

extern constinit const Instruction sync_all =
    sync::sync_instruction<SyncAllRecord, act>("sync_all", "SyncAll", sync::kSplitChips);

}  // namespace vinci::isa
