// wait_pre_block: the core waits until the one before it has let it go on.
//
// Sources and decisions: docs/spec/wait_pre_block.md.
#include "isa/sync/block_order.h"

namespace vinci::isa {
namespace {

void act(const BlockOrderRecord& record, Core& core) {
  if (!sync::takes_part(core)) return;
  core.drain_pipes();
  if (!sync::order_has_room(record, core)) return;
  core.wait_for_turn();
}

}  // namespace

extern constinit const Instruction wait_pre_block =
    sync::sync_instruction<BlockOrderRecord, act, sync::check_order>(
        "wait_pre_block", "WaitPreBlock", sync::kOrderChips);

}  // namespace vinci::isa
