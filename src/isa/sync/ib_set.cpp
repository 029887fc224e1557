// ib_set: tells another vector core, by way of GM, that this one has come so far.
//
// Sources and decisions: docs/spec/ib_set.md.
#include "isa/sync/block_event.h"

namespace vinci::isa {
namespace {

void act(const BlockEventRecord& record, Core& core) {
  if (!sync::takes_part(core)) return;
  core.drain_pipes();
  if (int32_t* word = sync::event_word(record, core)) core.store_for_others(word, 1);
}

}  // namespace

extern constinit const Instruction ib_set =
    sync::sync_instruction<BlockEventRecord, act, sync::check_event>("ib_set", "IBSet",
                                                                     sync::kWorkspaceChips);

}  // namespace vinci::isa
