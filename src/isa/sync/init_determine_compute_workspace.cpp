// init_determine_compute_workspace: prepares vector cores for going one after the other.
//
// Sources and decisions: docs/spec/init_determine_compute_workspace.md.
#include "isa/sync/block_order.h"

namespace vinci::isa {
namespace {

void act(const BlockOrderRecord& record, Core& core) {
  if (!sync::takes_part(core)) return;
  core.drain_pipes();
  if (!sync::order_has_room(record, core)) return;
  core.store_for_others(sync::place_of(record.gm, uint64_t(core.kernel_index())), 0);
}

}  // namespace

extern constinit const Instruction init_determine_compute_workspace =
    sync::sync_instruction<BlockOrderRecord, act, sync::check_order>(
        "init_determine_compute_workspace", "InitDetermineComputeWorkspace", sync::kOrderChips);

}  // namespace vinci::isa
