// group_arrive: tells a group of vector cores that this one has come so far.
//
// Sources and decisions: docs/spec/group_arrive.md.
#include "isa/sync/group_barrier.h"

namespace vinci::isa {
namespace {

void check(const GroupBarrierRecord& record, Check& check) {
  sync::check_group(record, check);
  if (sync::takes_part(check)) {
    check.range("arriveIndex", record.index, 0, int64_t(record.arrivers) - 1);
  }
}

void act(const GroupBarrierRecord& record, Core& core) {
  if (!sync::takes_part(core)) return;
  core.drain_pipes();
  if (!sync::group_is_ready(record, core)) return;
  for (uint32_t waiter = 0; waiter < record.waiters; ++waiter) {
    core.store_for_others(sync::group_word(record, waiter, record.index), 1, true);
  }
}

}  // namespace

extern constinit const Instruction group_arrive =
    sync::sync_instruction<GroupBarrierRecord, act, check>("group_arrive", "GroupBarrier::Arrive",
                                                           sync::kGroupChips);

}  // namespace vinci::isa
