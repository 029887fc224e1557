// ib_wait: the core waits for another one's IBSet.
//
// Sources and decisions: docs/spec/ib_wait.md.
#include "isa/sync/block_event.h"

namespace vinci::isa {
namespace {

void act(const BlockEventRecord& record, Core& core) {
  if (!sync::takes_part(core)) return;
  core.drain_pipes();
  int32_t* word = sync::event_word(record, core);
  if (word == nullptr) return;
  core.wait_for_others(
      [word] { return sync::load(word) == 1; }, Code::kDeadlock,
      fmt::format("IBWait: nobody sets event {} of block {}", record.event, record.block),
      "an IBSet with the same gmWorkspace, blockIdx and eventID for each IBWait");
  const int32_t* const words[] = {word};
  core.hear_words(words);
  // At once: what a core sets in this round comes after it.
  sync::store(core, word, 0);
}

}  // namespace

extern constinit const Instruction ib_wait =
    sync::sync_instruction<BlockEventRecord, act, sync::check_event>("ib_wait", "IBWait",
                                                                     sync::kWorkspaceChips);

}  // namespace vinci::isa
