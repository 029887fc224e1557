// sync_all_workspace: vector cores come here, and tell each other so by way of GM.
//
// Sources and decisions: docs/spec/sync_all_workspace.md.
#include <algorithm>
#include <limits>
#include <vector>

#include "isa/sync/workspace.h"

namespace vinci::isa {
namespace {

void check(const SyncWorkspaceRecord& record, Check& check) {
  sync::check_places(record.gm, record.ub, check);
}

// Whether the numbers fit the launch.
bool is_legal(const SyncWorkspaceRecord& record, Core& core, int64_t used) {
  if (record.cores < 0 || used > core.vector_cores()) {
    core.report(Code::kRange, fmt::format("SyncAll: usedCores is {}", record.cores),
                fmt::format("0..{}", core.vector_cores()));
    return false;
  }
  if (core.kernel_index() >= used) {
    core.report(Code::kRange,
                fmt::format("SyncAll: block {} meets usedCores {}", core.kernel_index(), used),
                fmt::format("blocks 0..{} only", used - 1));
    return false;
  }
  const auto bytes = uint64_t(std::max(used, core.block_count())) * sync::kPlaceBytes;
  return sync::has_room(core, "gmWorkspace", record.gm, bytes) &&
         sync::has_room(core, "ubWorkspace", record.ub, bytes);
}

void act(const SyncWorkspaceRecord& record, Core& core) {
  if (!sync::takes_part(core)) return;
  core.drain_pipes();
  const int64_t used = record.cores == 0 ? core.vector_cores() : record.cores;
  if (!is_legal(record, core, used)) return;
  int32_t* own = sync::place_of(record.gm, uint64_t(core.kernel_index()));
  if (!sync::is_count(core, own, std::numeric_limits<int32_t>::max() - 1)) return;
  const int32_t count = sync::load(own) + 1;
  core.store_for_others(own, count);
  const auto all_are_here = [gm = record.gm, used, count] {
    for (int64_t i = 0; i < used; ++i) {
      if (sync::load(sync::place_of(gm, uint64_t(i))) < count) return false;
    }
    return true;
  };
  core.wait_for_others(all_are_here, Code::kBarrierAlone, "SyncAll: not all come",
                       "the same number of barriers on every core");
  std::vector<const int32_t*> words;
  for (int64_t i = 0; i < used; ++i) words.push_back(sync::place_of(record.gm, uint64_t(i)));
  core.hear_words(words);
}

}  // namespace

extern constinit const Instruction sync_all_workspace =
    sync::sync_instruction<SyncWorkspaceRecord, act, check>("sync_all_workspace", "SyncAll",
                                                            sync::kWorkspaceChips);

}  // namespace vinci::isa
