// notify_next_block: lets the next vector core go on.
//
// Sources and decisions: docs/spec/notify_next_block.md.
#include "isa/sync/block_order.h"

namespace vinci::isa {
namespace {

void act(const BlockOrderRecord& record, Core& core) {
  if (!sync::takes_part(core)) return;
  core.drain_pipes();
  if (!sync::order_has_room(record, core)) return;
  core.let_next();
  core.store_for_others(sync::place_of(record.gm, uint64_t(core.kernel_index())), 1, true);
}

}  // namespace

extern constinit const Instruction notify_next_block =
    sync::sync_instruction<BlockOrderRecord, act, sync::check_order>(
        "notify_next_block", "NotifyNextBlock", sync::kOrderChips);

}  // namespace vinci::isa
