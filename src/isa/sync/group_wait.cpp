// group_wait: the core waits until each core of a group has arrived once more.
//
// Sources and decisions: docs/spec/group_wait.md.
#include <vector>

#include "isa/sync/group_barrier.h"

namespace vinci::isa {
namespace {

void check(const GroupBarrierRecord& record, Check& check) {
  sync::check_group(record, check);
  if (!sync::takes_part(check)) return;
  check.range("waitIndex", record.index, 0, int64_t(record.waiters) - 1);
  check.range("the number of Wait", record.round, 1, sync::kMostGroupRounds);
}

void act(const GroupBarrierRecord& record, Core& core) {
  if (!sync::takes_part(core)) return;
  core.drain_pipes();
  if (!sync::group_is_ready(record, core)) return;
  const auto arrived = [record] {
    uint32_t count = 0;
    for (uint32_t i = 0; i < record.arrivers; ++i) {
      const int32_t times = sync::load(sync::group_word(record, record.index, i));
      count += times >= int32_t(record.round) ? 1 : 0;
    }
    return count;
  };
  core.wait_for_others([=] { return arrived() == record.arrivers; }, Code::kDeadlock,
                       fmt::format("GroupBarrier::Wait: not all of {} arrive in round {}",
                                   record.arrivers, record.round),
                       "an Arrive of each core of the group for each Wait");
  std::vector<const int32_t*> words;
  for (uint32_t i = 0; i < record.arrivers; ++i) {
    words.push_back(sync::group_word(record, record.index, i));
  }
  core.hear_words(words);
}

}  // namespace

extern constinit const Instruction group_wait =
    sync::sync_instruction<GroupBarrierRecord, act, check>("group_wait", "GroupBarrier::Wait",
                                                           sync::kGroupChips);

}  // namespace vinci::isa
